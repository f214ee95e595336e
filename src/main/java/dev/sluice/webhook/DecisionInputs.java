package dev.sluice.webhook;

import dev.sluice.bus.message.Deadline;
import dev.sluice.policy.ActivePolicy;
import dev.sluice.snapshot.ClusterSnapshot;

/**
 * By what a review is decided, whatever comes meanwhile.
 *
 * @param deadline by when its answer has to leave
 */
public record DecisionInputs(ClusterSnapshot cluster, ActivePolicy policy, Deadline deadline) {}
