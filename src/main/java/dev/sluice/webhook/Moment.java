package dev.sluice.webhook;

import dev.sluice.admission.ActivePolicy;
import dev.sluice.bus.Deadline;
import dev.sluice.cluster.ClusterSnapshot;

/**
 * By what a review is decided, whatever comes meanwhile.
 *
 * @param deadline by when its answer has to leave
 */
public record Moment(ClusterSnapshot cluster, ActivePolicy policy, Deadline deadline) {}
