package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.Ports;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.metrics.PartMetricValues;
import dev.sluice.metrics.parts.ManagementMetrics;
import dev.sluice.metrics.parts.MeasuredVerticle;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.webhook.intake.ClientAbuseCounter;
import dev.sluice.webhook.intake.ConnectionLimits;
import dev.sluice.webhook.intake.Connections;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code /metrics}, as Prometheus reads it, and the list of paths beside it. */
class MetricsEndpointTest {

    private static final String OPEN_METRICS = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
    private static final RecordFlushRequest NOTHING_HELD = new RecordFlushRequest(List.of());

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final int port = Ports.free();

    private Supplier<Future<PartMetricValues>> held = () -> Future.succeededFuture(new PartMetricValues(Map.of()));

    @BeforeEach
    void start() throws Exception {
        Topic.install(vertx);
        Service.SCRAPE.of("held").serveLater(vertx, _ -> held.get());
        Connections connections = new Connections(ConnectionLimits.MANAGEMENT, new ClientAbuseCounter());
        var _ = await(vertx.deployVerticle(new MeasuredVerticle(
                new ManagementVerticle(
                        new ManagementPortSettings(
                                new HttpServerOptions().setHost("localhost").setPort(port),
                                connections,
                                ActivePolicy.DEFAULT,
                                Optional.empty(),
                                () -> Instant.EPOCH),
                        new Scrape(List.of("management", "nobody", "held"), NOTHING_HELD),
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
    void eachFormatHasItsContentType() throws Exception {
        HttpResponse<String> open = metrics(OPEN_METRICS);

        assertThat(contentType(open)).startsWith("application/openmetrics-text; version=1.0.0");
        assertThat(open.body())
                .contains("gpu_webhook_scrape_missing{part=\"nobody\"} 1.0\n")
                .endsWith("# EOF\n");
        assertThat(contentType(metrics("*/*"))).startsWith("text/plain; version=0.0.4");
    }

    @Test
    void whoAcceptsGzipGetsIt() throws Exception {
        HttpResponse<byte[]> packed = page("GET", "/metrics", "Accept-Encoding", "deflate, gzip;q=0.5");
        byte[] plain = page("GET", "/metrics").body();

        assertThat(coding(packed)).isEqualTo("gzip");
        assertThat(packed.body()).hasSizeLessThan(plain.length / 2);
        try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
            assertThat(new String(unpacked.readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("# ")
                    .contains("gpu_webhook_scrape_missing{part=\"nobody\"} 1.0\n")
                    .hasSize(new String(plain, StandardCharsets.UTF_8).length());
        }
        assertThat(coding(page("GET", "/api/v1/openapi.json", "Accept-Encoding", "*")))
                .isEqualTo("gzip");
    }

    /** Their plain answers together are longer than the memory for answers. */
    @Test
    void manyClientsShareOneLongAnswer() throws Exception {
        MetricFamilies many = new MetricFamilies();
        for (int i = 0; i < 1_500; i++) {
            var _ = many.counter(MetricName.BYPASSED, "namespace", "n".repeat(6_000) + i, "cause", "not_asked");
        }
        PartMetricValues numbers = many.numbers();
        held = () -> Future.succeededFuture(numbers);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/metrics"))
                .header("Accept-Encoding", "gzip")
                .build();

        List<CompletableFuture<HttpResponse<byte[]>>> answers = IntStream.range(0, 8)
                .mapToObj(_ -> client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()))
                .toList();

        for (CompletableFuture<HttpResponse<byte[]>> answer : answers) {
            HttpResponse<byte[]> page = answer.get(20, TimeUnit.SECONDS);
            assertThat(coding(page)).isEqualTo("gzip");
            assertThat(page.body()).hasSizeLessThan(1_000_000);
        }
    }

    @Test
    void nobodyElseDoesAndNoProbe() throws Exception {
        for (String accepted : List.of("identity", "br", "gzip;q=0, *", "gzip;q=2")) {
            assertThat(coding(page("GET", "/metrics", "Accept-Encoding", accepted)))
                    .as(accepted)
                    .isEmpty();
        }
        for (String path : List.of("/livez", "/readyz", "/readyz?verbose", "/", "/api/v1/bypassed")) {
            assertThat(coding(page("GET", path, "Accept-Encoding", "gzip")))
                    .as(path)
                    .isEmpty();
        }
    }

    @Test
    void theRootListsEveryPath() throws Exception {
        HttpResponse<byte[]> text = page("GET", "/", "Accept", "*/*");
        HttpResponse<byte[]> json = page("GET", "/", "Accept", "application/json, text/plain;q=0.9");

        assertThat(new String(text.body(), StandardCharsets.UTF_8))
                .startsWith("/livez  ")
                .endsWith("  the OpenAPI document of the paths below /api/v1\n");
        JsonNode paths = new ObjectMapper().readTree(json.body()).path("paths");
        assertThat(paths).hasSizeGreaterThan(8).allSatisfy(path -> {
            assertThat(new String(text.body(), StandardCharsets.UTF_8)).contains(path.asText() + " ");
            assertThat(page("POST", path.asText()).statusCode())
                    .as("the gateway knows %s", path)
                    .isEqualTo(405);
        });
        assertThat(json.headers().firstValue("Content-Type")).hasValue("application/json");
        String page = Files.readString(Path.of("src/docs/metrics.md"));
        assertThat(paths)
                .allSatisfy(path ->
                        assertThat(page).containsPattern("(?m)^\\|[^|]*" + Pattern.quote(path.asText()) + "`[^|]*\\|"));
    }

    @Test
    void theRootIsAnsweredWithItsHeadToo() throws Exception {
        HttpResponse<byte[]> head = page("HEAD", "/");

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValueAsLong("Content-Length"))
                .hasValue(page("GET", "/").body().length);
        assertThat(page("POST", "/").headers().firstValue("Allow")).hasValue("GET, HEAD");
    }

    private HttpResponse<byte[]> page(String method, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        return client.send(
                (headers.length == 0 ? request : request.headers(headers)).build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String coding(HttpResponse<?> page) {
        return page.headers().firstValue("Content-Encoding").orElse("");
    }

    /** Both wait while the answer to a third client is made, so that both are answered together. */
    @Test
    void eachOfTwoWhoAskAtOnceGetsItsOwnFormat() throws Exception {
        Promise<PartMetricValues> numbers = Promise.promise();
        CountDownLatch begun = new CountDownLatch(1);
        held = () -> {
            begun.countDown();
            return numbers.future();
        };
        try (Scraper third = new Scraper();
                Scraper one = new Scraper();
                Scraper other = new Scraper()) {
            third.ask("/metrics", "text/plain");
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            one.ask("/metrics", OPEN_METRICS);
            other.ask("/metrics", "text/plain");
            // The event loop has read both requests once it has answered two later ones.
            assertThat(status("/readyz")).isPositive();
            assertThat(status("/readyz")).isPositive();
            numbers.complete(new PartMetricValues(Map.of()));

            assertThat(one.contentType()).startsWith("application/openmetrics-text");
            assertThat(other.contentType()).startsWith("text/plain");
            assertThat(one.body())
                    .contains("# TYPE gpu_webhook_access_refused counter\n")
                    .endsWith("# EOF\n");
            assertThat(other.body())
                    .contains("# TYPE gpu_webhook_access_refused_total counter\n")
                    .doesNotContain("# EOF");
        }
    }

    /** Otherwise the memory for unread answers would be used up some time, and probes would get no answer, either. */
    @Test
    void answersOfClientsThatHangUpTakeNoMemoryAfterThem() throws Exception {
        MetricFamilies many = new MetricFamilies();
        for (int i = 0; i < 1_500; i++) {
            var _ = many.counter(MetricName.BYPASSED, "namespace", "n".repeat(6_000) + i, "cause", "not_asked");
        }
        PartMetricValues numbers = many.numbers();
        held = () -> Future.succeededFuture(numbers);

        for (int i = 0; i < 3; i++) {
            try (Scraper leaves = new Scraper()) {
                leaves.ask("/metrics", "text/plain");
                assertThat(leaves.contentType()).startsWith("text/plain");
            }
            awaitStatus("/livez");
        }
    }

    /** One client that does not read takes nearly all memory for unread answers. */
    @Test
    void probesAreAnsweredWhileTheMemoryForUnreadAnswersIsUsedUp() throws Exception {
        int mostUnread = 16 * 1024 * 1024;
        held = () -> Future.succeededFuture(numbersOfLength(1));
        int other = metrics("text/plain").body().length();

        for (int length = mostUnread - other + 50; ; length -= 8) {
            PartMetricValues numbers = numbersOfLength(length);
            held = () -> Future.succeededFuture(numbers);
            try (Scraper doesNotRead = new Scraper()) {
                doesNotRead.ask("/metrics", "text/plain");
                if (doesNotRead.contentType().startsWith("text/plain")) {
                    assertThat(length).isGreaterThan(mostUnread - other - 50);
                    assertThat(status("/livez")).isEqualTo(200);
                    assertThat(status("/readyz")).isEqualTo(503);
                    return;
                }
            }
        }
    }

    /** Returns metrics whose text is this many characters longer than that without them, or a few more. */
    private static PartMetricValues numbersOfLength(int length) {
        MetricFamilies one = new MetricFamilies();
        var _ = one.counter(MetricName.BYPASSED, "namespace", "n".repeat(length), "cause", "not_asked");
        return one.numbers();
    }

    private void awaitStatus(String path) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (status(path) != 200) {
            assertThat(System.nanoTime()).as("%s is answered", path).isLessThan(end);
        }
    }

    /** Returns 0 if the connection was closed without an answer. */
    private int status(String path) throws InterruptedException {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException _) {
            return 0;
        }
    }

    /** A connection with a small buffer, whose client reads as little of an answer as a test needs. */
    private final class Scraper implements AutoCloseable {

        private final Socket socket = new Socket();
        private final BufferedReader lines;

        Scraper() throws IOException {
            socket.setReceiveBufferSize(4 * 1024);
            socket.setSoTimeout(10_000);
            socket.connect(new InetSocketAddress("localhost", port));
            lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 16);
            ask("/readyz", "*/*");
            while (!lines.readLine().isEmpty()) {
                // The connection is known to the server once it has answered. The head is of no interest.
            }
        }

        void ask(String path, String accept) throws IOException {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\nAccept: " + accept + "\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
        }

        /** Returns an empty text if the connection was closed without an answer. */
        String contentType() throws IOException {
            String line = lines.readLine();
            while (line != null && !line.toLowerCase(Locale.ROOT).startsWith("content-type: ")) {
                line = lines.readLine();
            }
            return line == null ? "" : line.substring("content-type: ".length());
        }

        /** Returns the body of the answer whose content type was read last. */
        String body() throws IOException {
            int length = 0;
            String line = lines.readLine();
            while (!line.isEmpty()) {
                length = line.startsWith("content-length: ") ? Integer.parseInt(line.substring(16)) : length;
                line = lines.readLine();
            }
            char[] body = new char[length];
            for (int read = 0; read < length; read += lines.read(body, read, length - read)) {
                assertThat(read).isNotNegative();
            }
            return new String(body);
        }

        @Override
        public void close() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
