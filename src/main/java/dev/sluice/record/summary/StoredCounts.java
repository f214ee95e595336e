package dev.sluice.record.summary;

import dev.sluice.record.DecisionTally;
import java.util.Map;
import java.util.TreeMap;

/**
 * The content of the ConfigMap with the counts of decisions of all replicas.
 *
 * @param version the resourceVersion of the ConfigMap
 * @param writers for each process, the number of the newest batch of counts that it has stored. The key is the identity
 *     of the process
 */
record StoredCounts(String version, DecisionTally counts, Map<String, Long> writers) {

    /**
     * The maximum number of processes whose newest batch is remembered. A process needs it only until it has read the
     * answer to its write, or has written again.
     */
    static final int MOST_WRITERS = 16;

    StoredCounts {
        writers = Map.copyOf(writers);
    }

    /** Returns the number that identifies the newest stored batch of this process. Returns 0 if there is none. */
    long newestOf(String writer) {
        return writers.getOrDefault(writer, 0L);
    }

    /**
     * Returns the writers together with this one. If there are too many, the process that wrote least recently is
     * removed. It has the lowest number, because the numbers are times.
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
