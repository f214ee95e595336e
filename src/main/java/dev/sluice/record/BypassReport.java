package dev.sluice.record;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How many pods were bypassed since the start, and which were the last.
 *
 * @param completeSince since this moment every GPU pod is compared with the decisions; empty while that is not so
 * @param counts by namespace; those that came late are {@link #OTHERS} together
 * @param newest the last ones, the newest first
 */
public record BypassReport(Optional<Instant> completeSince, Map<BypassKey, Long> counts, List<BypassedPod> newest) {

    /** No namespace can be called so. */
    public static final String OTHERS = "(other)";

    public static final BypassReport NONE = new BypassReport(Optional.empty(), Map.of(), List.of());

    /** What is counted together. */
    public record BypassKey(String namespace, BypassCause cause) {}

    public BypassReport {
        counts = Map.copyOf(counts);
        newest = List.copyOf(newest);
    }
}
