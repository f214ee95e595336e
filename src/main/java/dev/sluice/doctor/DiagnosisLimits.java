package dev.sluice.doctor;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The limits of one diagnosis. Pods and nodes that exceed a limit are left out, and the report says so.
 *
 * @param nanos a clock that returns nanoseconds, like {@link System#nanoTime}: only the difference of two times is
 *     meaningful; it is read on the thread that applies the rules
 * @param rule the longest time for the verdict on one pod or owner, or for the findings on one node
 * @param all the longest time for the verdicts on all pods and owners
 * @param bytes the largest memory of the texts of all verdicts
 */
public record DiagnosisLimits(LongSupplier nanos, Duration rule, Duration all, long bytes) {

    /** Sets no limits: each rule may take any amount of time. */
    public static final DiagnosisLimits NONE =
            new DiagnosisLimits(() -> 0, Duration.ofDays(1), Duration.ofDays(1), Long.MAX_VALUE);

    /** The texts of a report may take one sixteenth of the heap. */
    private static final int SHARE_OF_HEAP = 16;

    /** Returns limits for a report that a user waits for, or that is created repeatedly. */
    public static DiagnosisLimits of(LongSupplier nanos, long heapBytes) {
        return new DiagnosisLimits(nanos, Duration.ofSeconds(1), Duration.ofSeconds(20), heapBytes / SHARE_OF_HEAP);
    }
}
