package dev.sluice.record;

import dev.sluice.record.ReviewRecord.PodWithoutGpu;

/** The result of the review of a new pod. */
public sealed interface ReviewRecord permits DecisionRecord, PodWithoutGpu {

    /** Returns the time from the end of the request's body to the answer, in nanoseconds. */
    long nanos();

    /**
     * The result for a pod that requests no GPU. The pod was allowed without a decision, so its name is not recorded.
     */
    record PodWithoutGpu(long nanos) implements ReviewRecord {}
}
