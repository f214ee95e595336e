package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.EventBusLiveness;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.parts.RecordMetrics;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.record.ReviewRecordBatch;
import dev.sluice.record.SampleRecords;
import dev.sluice.webhook.intake.ClientAbuseCounter;
import dev.sluice.webhook.intake.ConnectionLimits;
import dev.sluice.webhook.intake.Connections;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Gateways hold the newest records for a moment, and whoever shows decisions asks for them first. */
@Timeout(30)
class HeldRecordsTest {

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final int port = Ports.free();
    private final BlockingQueue<ReviewRecordBatch> held = new LinkedBlockingQueue<>();

    @BeforeEach
    void start() {
        Topic.install(vertx);
        RecordMetrics counted = new RecordMetrics(ActivePolicy.DEFAULT);
        String gateway = vertx.deployVerticle(new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        counted.answer(vertx);
                        EventBusLiveness.answer(vertx, context);
                        Topic.RECORDS_WANTED.subscribe(vertx, _ -> publishHeld());
                        return Future.succeededFuture();
                    }
                })
                .await();
        RecordFlushRequest records = new RecordFlushRequest(List.of(gateway));
        vertx.deployVerticle(new ManagementVerticle(
                        new ManagementPortSettings(
                                new HttpServerOptions().setHost("localhost").setPort(port),
                                new Connections(ConnectionLimits.MANAGEMENT, new ClientAbuseCounter()),
                                ActivePolicy.DEFAULT,
                                Optional.empty(),
                                () -> Instant.EPOCH),
                        new Scrape(List.of(counted.part()), records),
                        records,
                        List.of()))
                .await();
        held.add(new ReviewRecordBatch(List.of(
                SampleRecords.unchanged().uid("uid-of-held").pod("team", "held").record())));
    }

    private void publishHeld() {
        for (ReviewRecordBatch batch = held.poll(); batch != null; batch = held.poll()) {
            Topic.DECISIONS.publish(vertx, batch);
        }
    }

    @AfterEach
    void stop() {
        client.close();
        vertx.close().await();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void theListOfDecisionsHasThem() throws Exception {
        assertThat(get("/api/v1/decisions").body()).contains("uid-of-held");
    }

    @Test
    void aDecisionIsFoundByItsUid() throws Exception {
        assertThat(get("/api/v1/decisions/uid-of-held").statusCode()).isEqualTo(200);
    }

    @Test
    void theMetricsCountThem() throws Exception {
        assertThat(get("/metrics").body())
                .contains("gpu_webhook_decisions_total{decision=\"unchanged\",reason=\"Offered\"} 1.0\n");
    }

    /** The clock of the process, here 1970, does not follow an administrator who sets a fast clock right. */
    @Test
    void theTimeOfDayCountsAsItDoesInTheRecords() throws Exception {
        long now = System.currentTimeMillis();
        held.add(new ReviewRecordBatch(List.of(
                SampleRecords.unchanged().uid("uid-of-now").at(now).record(),
                SampleRecords.unchanged().uid("uid-of-before").at(now - 600_000).record())));

        assertThat(get("/api/v1/decisions?since=5m").body())
                .contains("uid-of-now")
                .doesNotContain("uid-of-before");
        assertThat(get("/api/v1/flow?since=5m").body()).contains("\"decisions\":1");
    }
}
