package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.doctor.DiagnosisCode;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.webhook.intake.ClientAbuseCounter;
import dev.sluice.webhook.intake.ConnectionLimits;
import dev.sluice.webhook.intake.Connections;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The files of the console, as a browser gets them. */
class ManagementConsolePagesTest {

    private static final RecordFlushRequest NOTHING_HELD = new RecordFlushRequest(List.of());

    private static final Path SOURCES = Path.of("src/main/resources/dev/sluice/management/console");

    private static final Pattern LINKED = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

    private static final Pattern IMPORTED = Pattern.compile("(?:from|import\\()\\s*'\\./([^']+)'");

    private static final Pattern IMPORTED_AT_ONCE = Pattern.compile("from '\\./([^']+)'");

    /** What the first view may cost, without the chart library, which only one other view loads. */
    private static final int MOST_BYTES = 250 * 1024;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final int port = Ports.free();

    @BeforeEach
    void start() throws Exception {
        Topic.install(vertx);
        Service.SCRAPE.of("held").serveLater(vertx, _ -> Future.failedFuture("nothing is measured"));
        var _ = vertx.deployVerticle(new ManagementVerticle(
                        new ManagementPortSettings(
                                new HttpServerOptions().setHost("localhost").setPort(port),
                                new Connections(ConnectionLimits.MANAGEMENT, new ClientAbuseCounter()),
                                ActivePolicy.DEFAULT,
                                Optional.empty(),
                                () -> Instant.EPOCH),
                        new Scrape(List.of(), NOTHING_HELD),
                        NOTHING_HELD,
                        List.of()))
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        var _ = vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private HttpResponse<byte[]> get(String path, String... headers) throws Exception {
        return send("GET", path, headers);
    }

    private HttpResponse<byte[]> send(String method, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        return client.send(
                (headers.length == 0 ? request : request.headers(headers)).build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    @Test
    void thePageNeedsNoScriptAndNoStyleOfItsOwnAndNothingFromElsewhere() throws Exception {
        HttpResponse<byte[]> page = get("/console/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(page, "Content-Security-Policy"))
                .contains("default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'")
                .doesNotContain("unsafe", "http:", "https:", "data:", "*");
        assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(text(page))
                .doesNotContain("<style", "style=", "$DIGEST")
                .doesNotContainPattern("<script(?! type=\"module\" src=)");
        assertThat(found(LINKED, text(page))).isNotEmpty().allMatch(link -> link.matches("[0-9a-f]{16}/[a-z/.-]+"));
    }

    @Test
    void everyLinkedAndImportedFileIsServed() throws Exception {
        String directory = found(LINKED, text(get("/console/"))).getFirst().split("/", -1)[0];
        Set<String> linked = found(LINKED, text(get("/console/"))).stream().collect(Collectors.toSet());
        Set<String> imported = ManagementConsoleFiles.OWN_FILES.stream()
                .filter(name -> name.endsWith(".js"))
                .flatMap(name -> found(IMPORTED, read(SOURCES.resolve(name))).stream())
                .map(name -> directory + "/" + name)
                .collect(Collectors.toSet());

        for (String path : Stream.concat(linked.stream(), imported.stream()).toList()) {
            assertThat(get("/console/" + path).statusCode()).as(path).isEqualTo(200);
        }
    }

    @Test
    void theListOfFilesIsThatOfTheDirectory() throws Exception {
        try (Stream<Path> files = Files.list(SOURCES)) {
            assertThat(files.map(path -> String.valueOf(path.getFileName())))
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(Stream.of("index.html"), ManagementConsoleFiles.OWN_FILES.stream())
                                    .toList());
        }
    }

    /** A browser would otherwise learn of each module only when it has read the one that imports it. */
    @Test
    void thePageNamesEveryModuleOfTheFirstView() throws Exception {
        List<String> linked = found(LINKED, text(get("/console/")));

        assertThat(firstView().filter(name -> name.endsWith(".js")))
                .allSatisfy(name -> assertThat(linked).anyMatch(link -> link.endsWith("/" + name)));
    }

    @Test
    void theFirstViewIsSmall() {
        ManagementConsoleFiles files = ManagementConsoleFiles.load();

        assertThat(firstView()
                        .mapToInt(name -> Objects.requireNonNull(files.files().get(name))
                                .gzip()
                                .length())
                        .sum())
                .isLessThan(MOST_BYTES);
    }

    /** The modules that the page imports at once, and its style sheet. */
    private static Stream<String> firstView() {
        Set<String> found = new LinkedHashSet<>(List.of("main.js"));
        List<String> waiting = new ArrayList<>(found);
        while (!waiting.isEmpty()) {
            String name = waiting.removeLast();
            if (!name.startsWith("lib/")) {
                found(IMPORTED_AT_ONCE, read(SOURCES.resolve(name))).stream()
                        .filter(found::add)
                        .forEach(waiting::add);
            }
        }
        return Stream.concat(found.stream(), Stream.of("console.css"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void aBrowserKeepsFilesForEverAndAsksForThePageEachTime() throws Exception {
        HttpResponse<byte[]> page = get("/console/");
        HttpResponse<byte[]> script =
                get("/console/" + found(LINKED, text(page)).getLast());

        assertThat(header(script, "Cache-Control")).contains("immutable");
        assertThat(header(script, "Content-Type")).isEqualTo("text/javascript; charset=utf-8");
        assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");
        HttpResponse<byte[]> again = get("/console/", "If-None-Match", header(page, "ETag"));
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    void filesAreCompressedForThoseWhoAcceptIt() throws Exception {
        HttpResponse<byte[]> plain = get("/console/");
        HttpResponse<byte[]> compressed = get("/console/", "Accept-Encoding", "gzip");

        assertThat(header(compressed, "Content-Encoding")).isEqualTo("gzip");
        assertThat(header(compressed, "Vary")).isEqualTo("Accept-Encoding");
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(compressed.body()))) {
            assertThat(gzip.readAllBytes()).isEqualTo(plain.body());
        }
    }

    @Test
    void thePathWithoutTheSlashLeadsToThePage() throws Exception {
        HttpResponse<byte[]> response = get("/console");

        assertThat(response.statusCode()).isEqualTo(308);
        assertThat(header(response, "Location")).isEqualTo("console/");
    }

    @Test
    void nothingElseIsServed() throws Exception {
        assertThat(get("/console/main.js").statusCode()).isEqualTo(404);
        assertThat(get("/console/0123456789abcdef/main.js").statusCode()).isEqualTo(404);
        assertThat(get("/console/..%2f..%2fapp/review.json").statusCode()).isEqualTo(404);
        assertThat(get("/consoles").statusCode()).isEqualTo(404);
        assertThat(header(get("/console/main.js"), "Cache-Control")).isEqualTo("no-store");
        assertThat(send("POST", "/console/").statusCode()).isEqualTo(405);
        HttpResponse<byte[]> head = send("HEAD", "/console/");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void theListOfPathsNamesTheConsole() throws Exception {
        assertThat(text(get("/"))).contains("/console/");
    }

    @Test
    void theConsoleSaysForEachVerdictWhatHelps() throws IOException {
        String text = Files.readString(SOURCES.resolve("waiting.js"));
        assertThat(DiagnosisCode.values())
                .filteredOn(code -> code != DiagnosisCode.HEALTHY)
                .allSatisfy(code -> assertThat(text).contains("\n    " + code.word() + ": '"));
    }
}
