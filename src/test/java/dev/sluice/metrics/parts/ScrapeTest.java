package dev.sluice.metrics.parts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.HoldableVerticle;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.LatencyHistogram;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.metrics.ScrapeFormat;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScrapeTest {

    private record Part(String part, MetricFamilies families) implements PartMetrics {

        private Part(String part) {
            this(part, new MetricFamilies());
        }

        @Override
        public void listen(Vertx vertx) {}
    }

    private final Vertx vertx = Vertx.vertx();

    @BeforeEach
    void install() {
        Topic.install(vertx);
    }

    @AfterEach
    void close() throws Exception {
        var _ = await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private String page(String... parts) throws Exception {
        return text(new Scrape(List.of(parts), new RecordFlushRequest(List.of())));
    }

    private String text(Scrape scrape) throws Exception {
        return new String(ScrapeFormat.accepted(null).of(await(scrape.ask(vertx))), StandardCharsets.UTF_8);
    }

    @Test
    void whatSeveralPartsCountIsShownAsTheirSum() throws Exception {
        for (int i = 1; i <= 3; i++) {
            Part part = new Part("gateway-" + i);
            part.families().counter(MetricName.REFUSED, "status", "404").inc(i);
            part.families().counter(MetricName.REFUSED, "status", "40" + i).inc(10);
            LatencyHistogram durations = new LatencyHistogram();
            durations.add(20_000L * i);
            part.families().show(MetricName.DURATION, durations);
            part.answer(vertx);
        }

        assertThat(page("gateway-1", "gateway-2", "gateway-3"))
                .contains("gpu_webhook_requests_refused_total{status=\"404\"} 6.0\n")
                .contains("gpu_webhook_requests_refused_total{status=\"401\"} 10.0\n")
                .contains("gpu_webhook_review_duration_seconds_bucket{le=\"2.5E-5\"} 1\n")
                .contains("gpu_webhook_review_duration_seconds_bucket{le=\"1.0E-4\"} 3\n")
                .containsPattern("gpu_webhook_review_duration_seconds_sum 1\\.20*2?E-4\n")
                .contains("gpu_webhook_scrape_missing{part=\"gateway-2\"} 0.0\n");
    }

    @Test
    void aPartThatIsNotThereIsASeriesAndNoFailure() throws Exception {
        Part here = new Part("here");
        here.families().counter(MetricName.FAULTS).inc();
        here.answer(vertx);

        assertThat(page("here", "gone"))
                .contains("gpu_webhook_faults_total 1.0\n")
                .contains("gpu_webhook_scrape_missing{part=\"gone\"} 1.0\n")
                .contains("gpu_webhook_scrape_missing{part=\"here\"} 0.0\n");
    }

    /** The sum of the others alone would look like a counter that has begun again. */
    @Test
    void aMetricThatIsSharedWithAMissingPartIsLeftOut() throws Exception {
        HoldableVerticle verticle = new HoldableVerticle();
        Part part = new Part("held");
        part.families().counter(MetricName.FAULTS).inc(3);
        Part other = new Part("here");
        other.families().counter(MetricName.FAULTS).inc();
        other.families().counter(MetricName.REFUSED, "status", "404").inc();
        other.answer(vertx);
        var _ = await(vertx.deployVerticle(new MeasuredVerticle(verticle, part)));
        Scrape scrape = new Scrape(List.of("held", "here"), new RecordFlushRequest(List.of()));
        assertThat(text(scrape)).contains("gpu_webhook_faults_total 4.0\n");

        verticle.hold();
        assertThat(text(scrape))
                .doesNotContain("gpu_webhook_faults_total")
                .contains("gpu_webhook_requests_refused_total{status=\"404\"} 1.0\n")
                .contains("gpu_webhook_scrape_missing{part=\"held\"} 1.0\n");
        verticle.release();
        assertThat(text(scrape)).contains("gpu_webhook_faults_total 4.0\n");
    }

    @Test
    void aVerticleThatStandsStillIsMissingUntilItTurnsAgain() throws Exception {
        HoldableVerticle verticle = new HoldableVerticle();
        Part part = new Part("held");
        part.families().show(MetricName.NODES, () -> 7);
        var _ = await(vertx.deployVerticle(new MeasuredVerticle(verticle, part)));
        String answered = "gpu_webhook_scrape_missing{part=\"held\"} 0.0\n";
        assertThat(page("held")).contains(answered).contains("gpu_webhook_snapshot_nodes 7.0\n");

        verticle.hold();
        assertThat(page("held"))
                .contains("gpu_webhook_scrape_missing{part=\"held\"} 1.0\n")
                .doesNotContain("gpu_webhook_snapshot_nodes");

        verticle.release();
        assertThat(page("held")).contains(answered);
    }

    /** Otherwise nobody would be answered, and all would wait. */
    @Test
    void aPartWhoseNumbersCannotBeReadIsMissing() throws Exception {
        Part broken = new Part("broken");
        broken.families().show(MetricName.NODES, () -> {
            throw new IllegalStateException("as a test wants it");
        });
        broken.answer(vertx);

        assertThat(page("broken")).contains("gpu_webhook_scrape_missing{part=\"broken\"} 1.0\n");
    }
}
