package dev.sluice.metrics.parts;

import dev.sluice.bus.Topic;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.doctor.PodVerdict;
import dev.sluice.doctor.VerdictCode;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Counts the GPU pods that do not run, by verdict. The series exist from the first diagnosis on. After a failed
 * diagnosis they show NaN, because the numbers of an earlier diagnosis would look current. It is not thread-safe.
 */
public final class DiagnosisMetrics implements PartMetrics {

    /**
     * The value of the label for pods whose verdict is unknown, because it depends on facts that the diagnosis has not
     * read.
     */
    private static final String UNKNOWN = "Unknown";

    private final MetricFamilies families = new MetricFamilies();
    private DiagnosisState newest = new DiagnosisState.Off();
    private Map<String, Long> counts = Map.of();

    @Override
    public String part() {
        return "diagnosis";
    }

    @Override
    public MetricFamilies families() {
        return families;
    }

    @Override
    public void listen(Vertx vertx) {
        Topic.DIAGNOSES.subscribe(vertx, this::diagnosed);
    }

    private void diagnosed(DiagnosisState state) {
        if (newest instanceof DiagnosisState.Off) {
            showAll();
        }
        if (state instanceof DiagnosisState.Known(var report)) {
            counts = report.pods().stream()
                    .collect(Collectors.groupingBy(DiagnosisMetrics::word, Collectors.counting()));
        }
        newest = state;
    }

    private void showAll() {
        for (VerdictCode code : VerdictCode.values()) {
            if (code != VerdictCode.HEALTHY) {
                show(code.word());
            }
        }
        show(UNKNOWN);
    }

    private void show(String verdict) {
        families.show(MetricName.PENDING_PODS, () -> pods(verdict), "verdict", verdict);
    }

    private Number pods(String verdict) {
        return newest instanceof DiagnosisState.Known(var report) && report.podsKnown()
                ? counts.getOrDefault(verdict, 0L)
                : Double.NaN;
    }

    private static String word(PodVerdict pod) {
        return pod.verdict().map(VerdictCode::word).orElse(UNKNOWN);
    }
}
