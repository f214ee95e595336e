package dev.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.injection.Injection;
import dev.sluice.policy.ActivePolicy;
import dev.sluice.quantity.ResourceName;
import dev.sluice.request.Move;
import dev.sluice.review.AdmissionReview;
import dev.sluice.review.AdmissionReview.DryRun;
import dev.sluice.verdict.Reason;
import dev.sluice.verdict.Verdict;
import dev.sluice.wording.Wording;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class GatewayMetricsTest {

    private static final Move MOVE =
            new Move(new ResourceName("nvidia.com/mig-3g.40gb"), new ResourceName("nvidia.com/mig-2g.20gb"));
    private static final Verdict CHANGED = new Verdict.Allowed(
            Verdict.Outcome.CHANGED, Reason.NOT_OFFERED, List.of(MOVE), List.of(), List.of(), Injection.NOTHING);

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final GatewayMetrics metrics = new GatewayMetrics(registry, ActivePolicy.DEFAULT, () -> 0);

    private void decided(DryRun dryRun) {
        AdmissionReview review = new AdmissionReview(
                "u", "/v1/Pod", "CREATE", "", "team", "train", dryRun, new AdmissionReview.PodObject.Absent());
        metrics.decided(review, CHANGED, Wording.of(CHANGED), 1, 1_000);
    }

    private String page() {
        return new String(PrometheusText.of(registry), StandardCharsets.UTF_8);
    }

    @Test
    void countsWhatWasGivenInsteadOnlyWhereThePodIsCreated() {
        String given = "gpu_webhook_fallback_total{from=\"nvidia.com/mig-3g.40gb\",to=\"nvidia.com/mig-2g.20gb\"} ";
        decided(DryRun.YES);
        assertThat(page()).contains(given + "0.0\n");

        decided(DryRun.NO);
        decided(DryRun.YES);
        assertThat(page()).contains(given + "1.0\n");
    }

    @Test
    void countsTheDecisionsOfDryRunsToo() {
        decided(DryRun.YES);
        decided(DryRun.NO);

        assertThat(page())
                .contains("gpu_webhook_decisions_total{decision=\"changed\",reason=\"NotOffered\"} 2.0\n")
                .contains("gpu_webhook_review_duration_seconds_count 2\n");
    }
}
