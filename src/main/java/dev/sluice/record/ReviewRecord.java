package dev.sluice.record;

import dev.sluice.record.ReviewRecord.PodWithoutGpu;

/** What became of the review of a pod that is to be created. */
public sealed interface ReviewRecord permits DecisionRecord, PodWithoutGpu {

    /** Nanoseconds from the whole body to the answer. */
    long nanos();

    /** A pod that asks for no GPU was passed. Nothing was decided, so that nothing of the pod is told. */
    record PodWithoutGpu(long nanos) implements ReviewRecord {}
}
