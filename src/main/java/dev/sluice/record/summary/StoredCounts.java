package dev.sluice.record.summary;

import dev.sluice.record.DecisionTally;
import java.util.Map;
import java.util.TreeMap;

/**
 * The content of the ConfigMap with the counts of decisions of all replicas.
 *
 * @param version the resourceVersion of the ConfigMap
 * @param writers the number of the newest batch of each process that is in the counts, by the identity of the process
 */
record StoredCounts(String version, DecisionTally counts, Map<String, Long> writers) {

    /**
     * The maximum number of processes whose newest batch is remembered. The newest batch of a process must be
     * remembered only until the process has read the answer to its write, or has written again.
     */
    static final int MOST_WRITERS = 16;

    StoredCounts {
        writers = Map.copyOf(writers);
    }

    /** Returns the number of the newest batch of this process that is in the counts; 0 if there is none. */
    long newestOf(String writer) {
        return writers.getOrDefault(writer, 0L);
    }

    /**
     * Returns the writers together with this one. If there are too many, the process that wrote least recently is
     * removed, which has the lowest number because the numbers are times.
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
