package dev.sluice.metrics.parts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.metrics.ScrapeFormat;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.ReviewRecord.PodWithoutGpu;
import dev.sluice.record.ReviewRecordBatch;
import dev.sluice.record.SampleRecords;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordMetricsTest {

    private static final PodRequestReplacement MOVE = new PodRequestReplacement(
            new ResourceName("nvidia.com/mig-3g.40gb"), new ResourceName("nvidia.com/mig-2g.20gb"));
    private final RecordMetrics metrics = new RecordMetrics(ActivePolicy.DEFAULT);

    private void decided(boolean dryRun) {
        metrics.count(new ReviewRecordBatch(List.of(SampleRecords.of(RecordedDecisionKind.CHANGED, Reason.NOT_OFFERED)
                .dryRun(dryRun)
                .moves(MOVE)
                .record())));
    }

    private String page() {
        return new String(ScrapeFormat.accepted(null).of(metrics.families().numbers()), StandardCharsets.UTF_8);
    }

    @Test
    void countsWhatWasGivenInsteadOnlyWhereThePodIsCreated() {
        String given = "gpu_webhook_fallback_total{from=\"nvidia.com/mig-3g.40gb\",to=\"nvidia.com/mig-2g.20gb\"} ";
        decided(true);
        assertThat(page()).contains(given + "0.0\n");

        decided(false);
        decided(true);
        assertThat(page()).contains(given + "1.0\n");
    }

    @Test
    void countsTheDecisionsOfDryRunsToo() {
        decided(true);
        decided(false);

        assertThat(page())
                .contains("gpu_webhook_decisions_total{decision=\"changed\",reason=\"NotOffered\"} 2.0\n")
                .contains("gpu_webhook_review_duration_seconds_count 2\n");
    }

    @Test
    void countsWhatIsOnlyObservedInSeriesOfItsOwn() {
        assertThat(page()).doesNotContain("enforcement");

        metrics.count(new ReviewRecordBatch(List.of(SampleRecords.of(RecordedDecisionKind.CHANGED, Reason.NOT_OFFERED)
                .observed()
                .moves(MOVE)
                .record())));

        assertThat(page())
                .contains("gpu_webhook_decisions_total{decision=\"changed\",reason=\"NotOffered\"} 0.0\n")
                .contains("gpu_webhook_decisions_total{decision=\"changed\",enforcement=\"observe\","
                        + "reason=\"NotOffered\"} 1.0\n")
                .contains("gpu_webhook_decisions_total{decision=\"denied\",enforcement=\"observe\","
                        + "reason=\"NotOffered\"} 0.0\n")
                .contains(
                        "gpu_webhook_fallback_total{from=\"nvidia.com/mig-3g.40gb\",to=\"nvidia.com/mig-2g.20gb\"} 0.0\n");
    }

    @Test
    void countsPodsWithoutGpuAndNothingElseOfThem() {
        metrics.count(new ReviewRecordBatch(List.of(new PodWithoutGpu(1_000), new PodWithoutGpu(2_000))));

        assertThat(page())
                .contains("gpu_webhook_pods_without_gpu_total 2.0\n")
                .contains("gpu_webhook_review_duration_seconds_count 2\n")
                .contains("gpu_webhook_decisions_total{decision=\"unchanged\",reason=\"Offered\"} 0.0\n");
    }

    @Test
    void whoAsksForOpenMetricsGetsThemUnderTheSameNames() {
        decided(true);
        ScrapeFormat asked = ScrapeFormat.accepted(
                "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,text/plain;version=0.0.4;q=0.2");
        String open = new String(asked.of(metrics.families().numbers()), StandardCharsets.UTF_8);

        assertThat(asked.contentType()).startsWith("application/openmetrics-text; version=1.0.0");
        assertThat(open)
                .contains("# TYPE gpu_webhook_decisions counter\n")
                .contains("# UNIT gpu_webhook_review_duration_seconds seconds\n")
                .contains("gpu_webhook_decisions_total{decision=\"changed\",reason=\"NotOffered\"} 1.0\n")
                .endsWith("# EOF\n");
        for (String header : List.of(
                "application/openmetrics-text",
                "Application/OpenMetrics-Text;q=0.5,text/plain;q=0.5",
                "application/openmetrics-text;q=0.5,text/plain;q=0.2,*/*;q=0.9")) {
            assertThat(ScrapeFormat.accepted(header)).as(header).isEqualTo(ScrapeFormat.OPEN_METRICS);
        }
        for (String header : List.of(
                "",
                "text/plain",
                "*/*",
                "application/openmetrics-text;q=0,text/plain",
                "application/openmetrics-text;q=0.0",
                "application/openmetrics-text;version=1.0.0;q=0.1, text/plain;version=0.0.4;q=0.9",
                "application/openmetrics-text;q=0.1,text/plain ; q=0.9",
                "application/openmetrics-text;q=0.1,text/*;q=0.9",
                "application/openmetrics-text;q=0.1,*/*;q=0.9",
                "application/openmetrics-text;q=2,text/plain",
                "application/openmetrics-textual")) {
            assertThat(ScrapeFormat.accepted(header).contentType()).startsWith("text/plain; version=0.0.4");
        }
    }
}
