package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.HoldableVerticle;
import dev.sluice.Ports;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.webhook.intake.ClientAbuseCounter;
import dev.sluice.webhook.intake.ConnectionLimits;
import dev.sluice.webhook.intake.Connections;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code /livez}, as kubelet asks it. */
class LivenessProbeTest {

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final HoldableVerticle turning = new HoldableVerticle();
    private final HoldableVerticle held = new HoldableVerticle();
    private final int port = Ports.free();

    @BeforeEach
    void start() throws Exception {
        Topic.install(vertx);
        List<String> watched = List.of(await(vertx.deployVerticle(turning)), await(vertx.deployVerticle(held)));
        var _ = await(vertx.deployVerticle(new ManagementVerticle(
                new ManagementPortSettings(
                        new HttpServerOptions().setHost("localhost").setPort(port),
                        new Connections(ConnectionLimits.MANAGEMENT, new ClientAbuseCounter()),
                        ActivePolicy.DEFAULT,
                        Optional.empty(),
                        () -> Instant.EPOCH),
                new Scrape(List.of(), new RecordFlushRequest(List.of())),
                new RecordFlushRequest(List.of()),
                watched)));
    }

    @AfterEach
    void stop() throws Exception {
        held.release();
        client.close();
        var _ = await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private int livez() throws IOException, InterruptedException {
        URI uri = URI.create("http://localhost:" + port + "/livez");
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    /** A machine that is busy may stop a healthy loop for a second as well, but not again and again. */
    private void awaitAlive() throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (livez() != 200) {
            assertThat(System.nanoTime()).as("all loops turn").isLessThan(end);
        }
    }

    @Test
    void failsWhileOneOfTheEventLoopsStandsStill() throws Exception {
        awaitAlive();

        held.hold();
        assertThat(livez()).isEqualTo(503);

        held.release();
        awaitAlive();
    }
}
