package dev.sluice.webhook;

import dev.sluice.bus.message.Deadline;
import dev.sluice.policy.ActivePolicy;
import dev.sluice.snapshot.ClusterSnapshot;

/**
 * What a review is decided by, even if the cluster or the policy changes meanwhile.
 *
 * @param deadline by when its answer has to leave
 */
public record DecisionInputs(ClusterSnapshot cluster, ActivePolicy policy, Deadline deadline) {}
