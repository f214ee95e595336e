package dev.sluice.webhook;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.cluster.ClusterSnapshot;

/**
 * The cluster, the policy and the deadline of one decision. They stay the same even if the cluster or the policy
 * changes in the meantime.
 *
 * @param freshness the time up to which all changes of the cluster are known. The snapshot contains all changes up to
 *     this time
 * @param deadline the time by which the answer must be sent
 */
record GatewayDecisionInputs(
        ClusterSnapshot cluster, FreshnessMessage freshness, ActivePolicy policy, BusRequestDeadline deadline) {}
