package dev.sluice.record;

import dev.sluice.record.ReviewRecord.PodWithoutGpu;

/** The result of the review of a pod that is to be created. */
public sealed interface ReviewRecord permits DecisionRecord, PodWithoutGpu {

    /** Returns the time from the complete body to the answer, in nanoseconds. */
    long nanos();

    /** A pod that asks for no GPU. It was allowed without a decision, so nothing of the pod is recorded. */
    record PodWithoutGpu(long nanos) implements ReviewRecord {}
}
