package dev.sluice.webhook;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.Deadline;
import dev.sluice.bus.Freshness;
import dev.sluice.cluster.ClusterSnapshot;

/**
 * What a review is decided by, even if the cluster or the policy changes meanwhile.
 *
 * @param freshness of this cluster, or older: of a newer one it would vouch for nodes that have changed since
 * @param deadline by when its answer has to leave
 */
record DecisionInputs(ClusterSnapshot cluster, Freshness freshness, ActivePolicy policy, Deadline deadline) {}
