package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.parts.ManagementMetrics;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.webhook.intake.ClientAbuseCounter;
import dev.sluice.webhook.intake.ConnectionLimits;
import dev.sluice.webhook.intake.Connections;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A web page cannot read the management port by letting its own name point there. */
class CalledNamesTest {

    private static final RecordFlushRequest NOTHING_HELD = new RecordFlushRequest(List.of());

    private final Vertx vertx = Vertx.vertx();
    private final int port = Ports.free();

    @BeforeEach
    void start() {
        Topic.install(vertx);
        Connections connections = new Connections(ConnectionLimits.MANAGEMENT, new ClientAbuseCounter());
        vertx.deployVerticle(new ManagementVerticle(
                        new ManagementSettings(
                                new HttpServerOptions().setHost("127.0.0.1").setPort(port),
                                connections,
                                ActivePolicy.DEFAULT,
                                Optional.empty(),
                                () -> Instant.EPOCH,
                                new ManagementMetrics(connections),
                                Set.of("Sluice.Example.com"),
                                Optional.empty()),
                        new Scrape(List.of(), NOTHING_HELD),
                        NOTHING_HELD,
                        List.of()))
                .await();
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private String answer(String path, String version, String headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/" + version + "\r\n" + headers + "Connection: close\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String answer(String path, String host) throws IOException {
        return answer(path, "1.1", "Host: " + host + "\r\n");
    }

    /** The kubelet and Prometheus use the address of the pod, and kubectl port-forward has localhost. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.3.7:9090",
                "10.0.3.7",
                "[fd00::7]:9090",
                "localhost:9090",
                "LOCALHOST",
                "gpu-webhook",
                "gpu-webhook-7d9c5b-x2x7k:9090",
                "metrics.gpu-webhook.svc:9090",
                "metrics.gpu-webhook.svc.cluster.local.",
                "sluice.example.com:9090"
            })
    void aClientThatCallsTheGatewayByOneOfItsNamesIsAnswered(String host) throws IOException {
        assertThat(answer("/metrics", host)).startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:9090",
                "127.0.0.1.evil.example",
                "localhost.evil.example",
                "gpu-webhook.svc.evil.example",
                "x.sluice.example.com",
                "evil-svc.example"
            })
    void aPageOfAnotherNameReadsNothing(String host) throws IOException {
        for (String path : List.of("/metrics", "/api/v1/decisions", "/api/v1/events", "/unknown")) {
            assertThat(answer(path, host))
                    .startsWith("HTTP/1.1 421 ")
                    .contains("this gateway is not called by the name in the header Host")
                    .doesNotContain(host);
        }
    }

    @Test
    void aProbeIsAnsweredWhateverItsHostAndSaysNothingOfTheCluster() throws IOException {
        assertThat(answer("/livez", "evil.example")).startsWith("HTTP/1.1 200 ");
        assertThat(answer("/readyz?verbose", "10.0.3.7")).contains("[-]");
        assertThat(answer("/readyz?verbose", "evil.example"))
                .startsWith("HTTP/1.1 503 ")
                .doesNotContain("[-]");
    }

    @Test
    void aClientOfHttpOneDotZeroNeedsNoHost() throws IOException {
        assertThat(answer("/metrics", "1.0", "")).contains(" 200 ");
        assertThat(answer("/metrics", "1.0", "Host: evil.example\r\n")).contains(" 421 ");
    }
}
