package dev.sluice.kube.facts;

import dev.sluice.doctor.facts.ClusterFactKind;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;

/** Counts the objects that were read from a file, and reports the progress. */
final class KubectlFileCounts {

    private static final int BETWEEN_REPORTS = 10_000;

    private final FactListProgress progress;
    private final Map<ClusterFactKind, Integer> counts = new EnumMap<>(ClusterFactKind.class);

    KubectlFileCounts(FactListProgress progress) {
        this.progress = progress;
    }

    void add(ClusterFactKind kind) {
        int count = counts.merge(kind, 1, Integer::sum);
        if (count % BETWEEN_REPORTS == 0) {
            progress.read(kind, count);
        }
    }

    /**
     * Returns a text with the most frequent kind and the number of its objects. If no object of a known kind was read,
     * the text says so.
     */
    String mostFrequent() {
        return counts.entrySet().stream()
                .max(Comparator.comparing(Map.Entry<ClusterFactKind, Integer>::getValue))
                .map(most -> most.getKey().plural() + " (" + most.getValue() + " were read)")
                .orElse("blanks or unknown objects");
    }
}
