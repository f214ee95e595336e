package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.RecordFlusher;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.parts.ManagementMetrics;
import dev.sluice.metrics.parts.MeasuredVerticle;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.webhook.intake.AbuseCounter;
import dev.sluice.webhook.intake.ConnectionLimits;
import dev.sluice.webhook.intake.Connections;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
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

/** {@code /metrics}, as Prometheus reads it. */
class MetricsEndpointTest {

    private static final RecordFlusher NOTHING_HELD = new RecordFlusher(List.of());

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final int port = Ports.free();

    @BeforeEach
    void start() throws Exception {
        Topic.install(vertx);
        Connections connections = new Connections(ConnectionLimits.MANAGEMENT, new AbuseCounter());
        var _ = await(vertx.deployVerticle(new MeasuredVerticle(
                new ManagementVerticle(
                        new ManagementSettings(
                                new HttpServerOptions().setHost("localhost").setPort(port),
                                connections,
                                ActivePolicy.DEFAULT,
                                Optional.empty(),
                                () -> Instant.EPOCH),
                        new Scrape(List.of("management", "nobody"), NOTHING_HELD),
                        NOTHING_HELD,
                        List.of()),
                new ManagementMetrics(connections))));
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        var _ = await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private HttpResponse<String> metrics(String accept) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/metrics"))
                        .header("Accept", accept)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String contentType(HttpResponse<String> page) {
        return page.headers().firstValue("Content-Type").orElse("");
    }

    @Test
    void thePageHasTheNumbersOfThoseThatAnswerAndNamesTheOthers() throws Exception {
        HttpResponse<String> page = metrics("text/plain");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(contentType(page)).startsWith("text/plain; version=0.0.4");
        assertThat(page.body())
                .contains("gpu_webhook_connections{port=\"management\"} ")
                .contains("gpu_webhook_scrape_missing{part=\"management\"} 0.0\n")
                .contains("gpu_webhook_scrape_missing{part=\"nobody\"} 1.0\n");
    }

    @Test
    void eachOfTwoWhoAskAtOnceGetsItsOwnFormat() throws Exception {
        HttpResponse<String> open = metrics("application/openmetrics-text;version=1.0.0,text/plain;q=0.5");

        assertThat(contentType(open)).startsWith("application/openmetrics-text; version=1.0.0");
        assertThat(open.body())
                .contains("gpu_webhook_scrape_missing{part=\"nobody\"} 1.0\n")
                .endsWith("# EOF\n");
        assertThat(contentType(metrics("*/*"))).startsWith("text/plain; version=0.0.4");
    }
}
