package dev.sluice.webhook;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.RequestDeadline;
import dev.sluice.cluster.ClusterSnapshot;

/**
 * The cluster, the policy and the deadline of one decision. They stay the same even if the cluster or the policy
 * changes in the meantime.
 *
 * @param freshness the freshness of the cluster, which was read before the snapshot. It may be older than the snapshot,
 *     but never newer, because a newer freshness would be wrong for nodes that have changed since the snapshot
 * @param deadline the time by which the answer must be sent
 */
record GatewayDecisionInputs(
        ClusterSnapshot cluster, FreshnessMessage freshness, ActivePolicy policy, RequestDeadline deadline) {}
