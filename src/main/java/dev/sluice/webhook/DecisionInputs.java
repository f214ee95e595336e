package dev.sluice.webhook;

import dev.sluice.admission.policy.ActivePolicy;
import dev.sluice.bus.message.Deadline;
import dev.sluice.bus.message.Freshness;
import dev.sluice.cluster.snapshot.ClusterSnapshot;

/**
 * What a review is decided by, even if the cluster or the policy changes meanwhile.
 *
 * @param freshness of this cluster, or older: of a newer one it would vouch for nodes that have changed since
 * @param deadline by when its answer has to leave
 */
public record DecisionInputs(ClusterSnapshot cluster, Freshness freshness, ActivePolicy policy, Deadline deadline) {}
