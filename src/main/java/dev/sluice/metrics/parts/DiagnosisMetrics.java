package dev.sluice.metrics.parts;

import dev.sluice.bus.Topic;
import dev.sluice.doctor.DiagnosisCode;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.doctor.PodDiagnosis;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts the GPU pods that do not run, by verdict. The series exist from the first diagnosis on. After a failed
 * diagnosis, or while the next diagnosis is overdue, the series show NaN, because old numbers would look current. This
 * class is not thread-safe.
 */
public final class DiagnosisMetrics implements PartMetrics {

    /**
     * The value of the label for pods whose verdict is unknown, because it depends on objects that the diagnosis could
     * not read.
     */
    private static final String UNKNOWN = "Unknown";

    private final MetricFamilies families = new MetricFamilies();
    private final InstantSource clock;
    private DiagnosisState newest = new DiagnosisState.Off();
    /** The newest diagnosis that succeeded; null before the first one. */
    private DiagnosisState.@Nullable Known lastKnown;

    private Map<String, Long> counts = Map.of();

    public DiagnosisMetrics(InstantSource clock) {
        this.clock = clock;
    }

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
        if (state instanceof DiagnosisState.Known known) {
            lastKnown = known;
            counts = known.report().pods().stream()
                    .collect(Collectors.groupingBy(DiagnosisMetrics::word, Collectors.counting()));
        }
        newest = state;
    }

    private void showAll() {
        for (DiagnosisCode code : DiagnosisCode.values()) {
            if (code != DiagnosisCode.HEALTHY) {
                show(code.word());
            }
        }
        show(UNKNOWN);
        families.show(MetricName.DIAGNOSIS_AGE, this::age);
        families.show(MetricName.DIAGNOSIS_OVERDUE, () -> isOverdue() ? 1 : 0);
    }

    private Number age() {
        return lastKnown == null ? Double.NaN : lastKnown.age(clock.instant()).toSeconds();
    }

    private boolean isOverdue() {
        return lastKnown != null && lastKnown.isOverdue(clock.instant());
    }

    private void show(String verdict) {
        families.show(MetricName.PENDING_PODS, () -> pods(verdict), "verdict", verdict);
    }

    private Number pods(String verdict) {
        return newest instanceof DiagnosisState.Known known && known.report().podsKnown() && !isOverdue()
                ? counts.getOrDefault(verdict, 0L)
                : Double.NaN;
    }

    private static String word(PodDiagnosis pod) {
        return pod.verdict().map(DiagnosisCode::word).orElse(UNKNOWN);
    }
}
