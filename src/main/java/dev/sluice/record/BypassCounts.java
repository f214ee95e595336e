package dev.sluice.record;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The number of pods that have bypassed the gateway since its start, and the newest of these pods.
 *
 * @param completeSince the time since which every new GPU pod has been compared with the decisions; empty if pods are
 *     not compared now
 * @param counts the number of pods by namespace and cause; namespaces beyond the limit are counted as {@link #OTHERS}
 * @param newest the newest of these pods, in descending order of their time
 */
public record BypassCounts(Optional<Instant> completeSince, Map<BypassKey, Long> counts, List<BypassedPod> newest) {

    /** The key under which all namespaces beyond the limit are counted. No namespace can have this name. */
    public static final String OTHERS = "(other)";

    public static final BypassCounts NONE = new BypassCounts(Optional.empty(), Map.of(), List.of());

    /** The namespace and the cause by which the pods that bypassed the gateway are counted. */
    public record BypassKey(String namespace, BypassCause cause) {}

    public BypassCounts {
        counts = Map.copyOf(counts);
        newest = List.copyOf(newest);
    }
}
