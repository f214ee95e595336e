package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Topic;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.kube.facts.DiagnosisVerticle;
import dev.sluice.kube.facts.FactsFiles;
import dev.sluice.metrics.parts.DiagnosisMetrics;
import dev.sluice.metrics.parts.Scrape;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A diagnosis that nothing has followed in time is no longer told: what the API and the metrics say then. */
@Timeout(60)
class OverdueDiagnosisTest {

    private static final Duration PAUSE = Duration.ofHours(1);

    /** This is the limit of doctor.md: the pause, and twice two minutes for the reading itself. */
    private static final Duration LIMIT = PAUSE.plus(Duration.ofMinutes(4));

    private static final Instant READ = Instant.parse("2026-11-20T12:00:00Z");
    private static final String PENDING = "gpu_webhook_pending_pods{verdict=\"NoGpuNodes\"} ";
    private static final String POD = """
            {"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"},
              "status": {"capacity": {"cpu": "1"}, "allocatable": {"cpu": "1"}}}, {"apiVersion": "v1", "kind": "Pod",
              "metadata": {"namespace": "a", "name": "waits"}, "spec": {"containers": [{"name": "c", "resources":
                {"limits": {"nvidia.com/gpu": "1"}, "requests": {"nvidia.com/gpu": "1"}}}]}, "status": {"phase": "Pending"}}]}
            """;

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final int port = Ports.free();
    private final AtomicReference<Instant> now = new AtomicReference<>(READ);

    @BeforeEach
    void start() throws Exception {
        Topic.install(vertx);
        RecordFlushRequest nothingHeld = new RecordFlushRequest(List.of());
        vertx.deployVerticle(new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        new DiagnosisMetrics(now::get).answer(vertx);
                        return Future.succeededFuture();
                    }
                })
                .await();
        vertx.deployVerticle(new ManagementVerticle(
                        new ManagementPortSettings(
                                new HttpServerOptions().setHost("localhost").setPort(port),
                                new Connections(ConnectionLimits.MANAGEMENT, new ClientAbuseCounter()),
                                ActivePolicy.DEFAULT,
                                Optional.empty(),
                                now::get),
                        new Scrape(List.of("diagnosis"), nothingHeld),
                        nothingHeld,
                        List.of()))
                .await();
        CountDownLatch known = new CountDownLatch(1);
        Topic.DIAGNOSES.subscribe(vertx, state -> {
            if (state instanceof DiagnosisState.Known) {
                known.countDown();
            }
        });
        Path file = Files.writeString(directory.resolve("cluster.json"), POD);
        vertx.deployVerticle(new DiagnosisVerticle(() -> FactsFiles.read(List.of(file)), PAUSE, now::get))
                .await();
        assertThat(known.await(30, TimeUnit.SECONDS)).isTrue();
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
    void isAnErrorAndCountsNothingOnceThePauseAndFourMinutesAreOver() throws Exception {
        now.set(READ.plus(LIMIT));
        assertThat(get("/api/v1/diagnosis").statusCode()).isEqualTo(200);
        assertThat(get("/metrics").body())
                .contains("gpu_webhook_diagnosis_overdue 0.0\n")
                .contains("gpu_webhook_diagnosis_age_seconds 3840.0\n")
                .contains(PENDING + "1.0\n");

        now.set(READ.plus(LIMIT).plusSeconds(1));
        HttpResponse<String> answer = get("/api/v1/diagnosis");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("5");
        assertThat(answer.body())
                .contains("the newest diagnosis is 3841 s old, and the next one has been due for 1 s")
                .doesNotContain("waits");
        assertThat(get("/metrics").body())
                .contains("gpu_webhook_diagnosis_overdue 1.0\n")
                .contains("gpu_webhook_diagnosis_age_seconds 3841.0\n")
                .contains(PENDING + "NaN\n");
    }

    /** The metric is about the last one that succeeded: while attempts fail, its age goes on growing. */
    @Test
    void aFailedAttemptDoesNotMakeItNew() throws Exception {
        now.set(READ.plus(LIMIT).plusSeconds(1));
        CountDownLatch told = new CountDownLatch(1);
        Topic.DIAGNOSES.subscribe(vertx, _ -> told.countDown());
        Topic.DIAGNOSES.publish(vertx, new DiagnosisState.NotDiagnosed("the nodes cannot be listed"));
        assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();

        assertThat(get("/api/v1/diagnosis").statusCode()).isEqualTo(503);
        assertThat(get("/metrics").body())
                .contains("gpu_webhook_diagnosis_overdue 1.0\n")
                .contains(PENDING + "NaN\n");
    }
}
