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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A web page cannot read the management port by letting its own name point there. */
class ManagementHostNamesTest {

    private static final RecordFlushRequest NOTHING_HELD = new RecordFlushRequest(List.of());

    private final Vertx vertx = Vertx.vertx();
    private final int port = Ports.free();

    private volatile boolean clockIsBroken;

    private Instant now() {
        if (clockIsBroken) {
            throw new IllegalStateException("there is no time");
        }
        return Instant.EPOCH;
    }

    @BeforeEach
    void start() {
        Topic.install(vertx);
        Connections connections = new Connections(ConnectionLimits.MANAGEMENT, new ClientAbuseCounter());
        vertx.deployVerticle(new ManagementVerticle(
                        new ManagementPortSettings(
                                new HttpServerOptions().setHost("127.0.0.1").setPort(port),
                                connections,
                                ActivePolicy.DEFAULT,
                                Optional.empty(),
                                this::now,
                                new ManagementMetrics(connections),
                                Set.of("Sluice.Example.com"),
                                Optional.empty(),
                                Optional.empty(),
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
        return exchange("GET " + path + " HTTP/" + version + "\r\n" + headers);
    }

    private String answer(String path, String host) throws IOException {
        return answer(path, "1.1", "Host: " + host + "\r\n");
    }

    /** The answer to a request, of which the last header and the empty line are added. */
    private String exchange(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write((request + "Connection: close\r\n\r\n").getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The kubelet and Prometheus use the address of the pod, and kubectl port-forward has localhost. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.3.7:9090",
                "10.0.3.7",
                "[fd00::7]:9090",
                "[FD00::7]",
                "[fe80::1%25eth0]:9090",
                "[fe80::1%eth0]",
                "METRICS.GPU-WEBHOOK.SVC.",
                "localhost:9090",
                "localhost:",
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
                "evil.example.",
                "EVIL.EXAMPLE",
                "localhost..",
                ".",
                "",
                "[evil.example]",
                "2130706433.evil.example",
                "evil-svc.example"
            })
    void aPageOfAnotherNameReadsNothing(String host) throws IOException {
        for (String path : List.of("/metrics", "/api/v1/decisions", "/api/v1/events", "/unknown")) {
            assertThat(answer(path, host))
                    .startsWith("HTTP/1.1 421 ")
                    .contains("this gateway is not called by the name in the header Host")
                    .doesNotContain("evil");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[::1",
                "[::1].evil.example",
                "[::1%25evil.example]:x",
                "localhost@evil.example",
                "localhost, evil.example",
                "localhost:x",
                "localhost:99999"
            })
    void aHostThatIsNoneGetsNothing(String host) throws IOException {
        assertThat(answer("/metrics", host)).startsWith("HTTP/1.1 4").doesNotContain("evil");
    }

    @Test
    void aProbeIsAnsweredWhateverItsHostAndSaysNothingOfTheCluster() throws IOException {
        assertThat(answer("/livez", "evil.example")).startsWith("HTTP/1.1 200 ");
        assertThat(answer("/readyz?verbose", "10.0.3.7")).contains("[-]");
        assertThat(answer("/readyz?verbose", "evil.example"))
                .startsWith("HTTP/1.1 503 ")
                .doesNotContain("[-]");
    }

    /** The target may be the whole URL, whose host then counts instead of the header. */
    @Test
    void theHostOfTheTargetCountsAsTheHeaderDoes() throws IOException {
        assertThat(answer("http://localhost:9090/metrics", "localhost")).startsWith("HTTP/1.1 200 ");
        assertThat(answer("http://[::1]/metrics", "localhost")).startsWith("HTTP/1.1 200 ");
        for (String target : List.of(
                "http://evil.example/metrics",
                "HTTP://EVIL.EXAMPLE:80/metrics",
                "http://localhost@evil.example/metrics",
                "http://evil.example?x=/metrics",
                "http://evil.example#/metrics",
                "http:///metrics",
                "x://evil.example/metrics")) {
            assertThat(answer(target, "localhost")).as(target).startsWith("HTTP/1.1 421 ");
        }
        assertThat(answer("http://localhost/metrics", "evil.example")).startsWith("HTTP/1.1 421 ");
        assertThat(answer("http://evil.example/livez", "localhost")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void aRequestHasOneHost() throws IOException {
        assertThat(answer("/metrics", "1.1", "")).startsWith("HTTP/1.1 400 ");
        assertThat(answer("/metrics", "1.1", "Host: localhost\r\nHost: evil.example\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(answer("/metrics", "1.1", "Host: localhost\r\nHost: localhost\r\n"))
                .startsWith("HTTP/1.1 400 ");
    }

    /** Vert.x itself makes the answers to requests that it cannot read. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/metrics           | 1.1 | 400",
                "*                  | 1.1 | 404",
                "localhost:443      | 1.1 | 404",
                "/%zz               | 1.1 | 404",
                "/metrics           | 3.7 | 400",
                "/metrics           | 3.7 | 501",
                "/livez             | 2.0 | 501",
                "/LONG              | 1.1 | 414",
                "/livez             | 1.1 | 431",
                "/api/v1/decisions  | 1.1 | 405"
            })
    void everyAnswerIsSafeInABrowser(String target, String version, int status) throws IOException {
        String method = status == 405 ? "POST " : "GET ";
        String headers = "Host: localhost\r\n"
                + switch (status) {
                    case 400 -> "a header without a colon\r\n";
                    case 431 -> "X-Long: " + "x".repeat(70_000) + "\r\n";
                    default -> "";
                };

        String answer =
                exchange(method + target.replace("LONG", "x".repeat(70_000)) + " HTTP/" + version + "\r\n" + headers);

        assertThat(answer)
                .contains(" " + status + " ")
                .containsIgnoringCase("\r\nX-Content-Type-Options: nosniff\r\n")
                .containsIgnoringCase("\r\nCache-Control: no-store\r\n")
                .containsIgnoringCase("\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n")
                .doesNotContainIgnoringCase("Access-Control-");
    }

    @Test
    void anAnswerThatCannotBeMadeIsSafeInABrowserToo() throws IOException {
        clockIsBroken = true;

        assertThat(answer("/api/v1/diagnosis", "localhost"))
                .startsWith("HTTP/1.1 500 ")
                .contains("X-Content-Type-Options: nosniff", "the gateway's log says why")
                .doesNotContain("there is no time");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/decisions?limit=1&limit=2", "/api/v1/diagnosis?pod=a&pod=b&node=c"})
    void aParameterStandsOnceInAQuery(String target) throws IOException {
        assertThat(answer(target, "localhost"))
                .startsWith("HTTP/1.1 400 ")
                .contains("the query has a parameter more than once");
    }

    @Test
    void aClientOfHttpOneDotZeroNeedsNoHost() throws IOException {
        assertThat(answer("/metrics", "1.0", "")).contains(" 200 ");
        assertThat(answer("/metrics", "1.0", "Host: evil.example\r\n")).contains(" 421 ");
    }
}
