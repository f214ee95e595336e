package dev.sluice.record.summary;

import dev.sluice.record.DecisionTally;
import java.util.Map;
import java.util.TreeMap;

/**
 * The content of the ConfigMap with the counts of decisions of all replicas.
 *
 * @param version the resourceVersion of the ConfigMap
 * @param writers for the identity of each process, the number of the newest batch of counts that this process has
 *     stored
 */
record StoredCounts(String version, DecisionTally counts, Map<String, Long> writers) {

    /**
     * The maximum number of processes whose newest batch is stored. A process needs its entry only until it knows
     * whether its last write took effect.
     */
    static final int MOST_WRITERS = 16;

    StoredCounts {
        writers = Map.copyOf(writers);
    }

    /** Returns the number of the newest stored batch of the process {@code writer}. Returns 0 if there is none. */
    long newestOf(String writer) {
        return writers.getOrDefault(writer, 0L);
    }

    /**
     * Returns {@link #writers} with {@code batch} as the newest batch of {@code writer}. If there are too many
     * processes, removes those with the lowest batch numbers. The numbers are times, so these processes wrote least
     * recently.
     */
    Map<String, Long> writersWith(String writer, long batch) {
        Map<String, Long> next = new TreeMap<>(writers);
        next.put(writer, batch);
        while (next.size() > MOST_WRITERS) {
            next.entrySet().stream()
                    .filter(other -> !other.getKey().equals(writer))
                    .min(Map.Entry.comparingByValue())
                    .ifPresent(oldest -> next.remove(oldest.getKey()));
        }
        return next;
    }
}
