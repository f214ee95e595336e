package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.verdict.Exhaustion;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Shortfall;
import dev.sluice.bus.BusMessageQueue;
import dev.sluice.bus.Topic;
import dev.sluice.cli.Cli;
import dev.sluice.kube.watch.SnapshotFile;
import dev.sluice.log.BatchedLogAppender;
import dev.sluice.record.BypassCause;
import dev.sluice.record.BypassCounts;
import dev.sluice.record.BypassCounts.BypassKey;
import dev.sluice.record.BypassedPod;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecordBatch;
import dev.sluice.record.SampleRecords;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** One decision of a whole gateway, as each of its consumers shows it. */
class DecisionRecordTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static GatewayUnderTest gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = GatewayUnderTest.start(ActivePolicy.DEFAULT);
        gateway.show(SnapshotFile.read(Path.of("conf/demo/clusters/mixed.yaml")));
    }

    @AfterAll
    static void close() {
        gateway.close();
    }

    /** Posts the review of the demo with a uid of its own, and reads at once what the API knows of it. */
    private static JsonNode decide(String uid) throws Exception {
        post(uid);
        JsonNode decision = JSON.readTree(gateway.page("/api/v1/decisions/" + uid));
        assertThat(decision.has("id")).as(decision.toString()).isTrue();
        return decision;
    }

    private static void post(String uid) throws Exception {
        String review = Files.readString(Path.of("conf/demo/review.json"));
        String before = JSON.readTree(review).path("request").path("uid").asText();
        var _ = gateway.post(review.replace(before, uid).getBytes(StandardCharsets.UTF_8));
    }

    /** Records that come fast are held for a while, but not from those who ask. */
    @Test
    void whoHasAnAnswerFindsItCountedAndListed() throws Exception {
        double before = decided();
        for (int i = 2; i <= 40; i += 2) {
            post("told-at-once-" + i);
            post("held-for-a-moment-" + i);
            assertThat(decided()).isEqualTo(before + i);
        }
        post("told-at-once");
        post("listed-at-once");
        assertThat(gateway.page("/api/v1/decisions?limit=1")).contains("listed-at-once");
    }

    private static double decided() throws Exception {
        return gateway.metric("gpu_webhook_decisions_total{decision=\"changed\",reason=\"NotOffered\"}");
    }

    @Test
    void theApiTheMetricsAndTheCommandShowTheSame() throws Exception {
        JsonNode decision = decide("a-decision");
        String series = "gpu_webhook_decisions_total{decision=\""
                + decision.path("decision").asText() + "\",reason=\""
                + decision.path("reason").asText() + "\"}";
        String url = "http://localhost:" + gateway.managementPort();
        Cli table = Cli.run(
                "decisions", "--url", url, "-n", decision.path("namespace").asText());

        assertThat(gateway.metric(series)).isPositive();
        assertThat(table.err()).isEmpty();
        assertThat(table.out())
                .contains(decision.path("reason").asText())
                .contains(decision.path("namespace").asText() + "/"
                        + decision.path("name").asText());
        assertThat(table.out().lines()).allMatch(line -> line.length() <= 100);
        assertThat(Cli.run("decisions", "--url", url, "-o", "json").out()).contains("\"uid\":\"a-decision\"");
    }

    @Test
    void theRecordAndExplainTellTheSameOfEachCandidate() throws Exception {
        JsonNode decision = decide("with-candidates");
        Cli explained = Cli.run(
                "explain",
                "-f",
                "conf/demo/review.json",
                "--cluster-snapshot",
                "conf/demo/clusters/mixed.yaml",
                "-o",
                "json");

        List<String> expected = new ArrayList<>();
        JsonNode asked = JSON.readTree(explained.out()).findPath("asked");
        asked.forEach(one -> one.path("candidates")
                .forEach(candidate -> expected.add("%s %s %s"
                        .formatted(
                                one.path("resource").asText(),
                                candidate.path("resource").asText(),
                                candidate.path("fate").asText()))));
        assertThat(decision.path("candidates"))
                .hasSizeGreaterThan(1)
                .extracting(judged -> "%s %s %s"
                        .formatted(
                                judged.path("asked").asText(),
                                judged.path("resource").asText(),
                                judged.path("fate").asText()))
                .isEqualTo(expected);
    }

    @Test
    void aWrongParameterIsAProblemThatTheCommandTells() throws Exception {
        Cli refused =
                Cli.run("decisions", "--url", "http://localhost:" + gateway.managementPort(), "--verdict", "perhaps");

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("expected one of unchanged, changed");
        assertThat(gateway.page("/api/v1/decisions/no-such-uid")).contains("\"status\":404");
    }

    @Test
    void aFilterThatAPathDoesNotKnowIsRefused() throws Exception {
        for (String path : List.of("capacity", "bypassed", "decisions/no-such-uid")) {
            assertThat(gateway.page("/api/v1/" + path + "?namespace=team"))
                    .as(path)
                    .contains("\"status\":400", "\\\"namespace\\\" is not a parameter of this path, which takes none");
        }
    }

    /** The closed lists of the document are those of the code. */
    @Test
    void theDocumentKnowsAllReasons() throws Exception {
        JsonNode schemas = JSON.readTree(gateway.page("/api/v1/openapi.json")).at("/components/schemas");

        assertThat(schemas.at("/Reason/enum"))
                .extracting(JsonNode::asText)
                .containsExactlyElementsOf(
                        Stream.of(Reason.values()).map(Reason::word).toList());
        assertThat(schemas.at("/Verdict/enum"))
                .extracting(JsonNode::asText)
                .containsExactlyElementsOf(Stream.of(RecordedDecisionKind.values())
                        .map(RecordedDecisionKind::word)
                        .toList());
        assertThat(schemas.at("/WhyNot/enum"))
                .extracting(JsonNode::asText)
                .containsExactlyInAnyOrderElementsOf(Stream.of(Shortfall.class, Exhaustion.class)
                        .flatMap(causes -> Stream.of(causes.getPermittedSubclasses()))
                        .map(Class::getSimpleName)
                        .toList());
    }

    @Test
    void bypassedPodsAreAsTheDocumentDescribesThem() throws Exception {
        BypassedPod pod = new BypassedPod("team/x", BypassCause.NOT_ASKED, Instant.parse("2026-11-21T12:00:00Z"));
        Topic.BYPASSES.publish(
                gateway.sluice().vertx(),
                new BypassCounts(
                        Optional.of(Instant.parse("2026-11-21T11:59:00.5Z")),
                        Map.of(
                                new BypassKey("team", BypassCause.NOT_ASKED), 2L,
                                new BypassKey("a-team", BypassCause.NOT_DECIDING), 1L),
                        List.of(pod)));

        assertThat(reported())
                .isEqualTo("{\"completeSince\":\"2026-11-21T11:59:01Z\",\"counts\":["
                        + "{\"namespace\":\"a-team\",\"cause\":\"not_deciding\",\"pods\":1},"
                        + "{\"namespace\":\"team\",\"cause\":\"not_asked\",\"pods\":2}],"
                        + "\"pods\":[{\"namespace\":\"team\",\"name\":\"x\",\"cause\":\"not_asked\","
                        + "\"created\":\"2026-11-21T12:00:00Z\"}]}");
        holds(JSON.readTree(gateway.page("/api/v1/openapi.json")), "/api/v1/bypassed", 200, "/api/v1/bypassed");
    }

    /** What is asked over a socket may be read before what was published. */
    private static String reported() throws Exception {
        String page = gateway.page("/api/v1/bypassed");
        for (int i = 0; i < 1_000 && !page.contains(BypassCause.NOT_ASKED.word()); i++) {
            page = gateway.page("/api/v1/bypassed");
        }
        return page;
    }

    /** The schema of an answer of the document, and the answer. */
    private static void holds(JsonNode document, String path, int status, String asked) throws Exception {
        JsonNode content = document.path("paths")
                .path(path)
                .path("get")
                .path("responses")
                .path(Integer.toString(status))
                .path("content");
        JsonNode schema = content.elements().next().path("schema");

        assertThat(new JsonSchema(document).problems(schema, JSON.readTree(gateway.page(asked))))
                .as(asked)
                .isEmpty();
    }

    @Test
    void theAnswersAreAsTheDocumentDescribesThem() throws Exception {
        var _ = decide("described");
        JsonNode document = JSON.readTree(gateway.page("/api/v1/openapi.json"));

        holds(document, "/api/v1/capacity", 200, "/api/v1/capacity");
        holds(document, "/api/v1/capacity/history", 200, "/api/v1/capacity/history");
        holds(document, "/api/v1/capacity/holders", 200, "/api/v1/capacity/holders");
        holds(document, "/api/v1/fleet", 200, "/api/v1/fleet?labels=zone");
        holds(document, "/api/v1/fleet/nodes/{node}", 404, "/api/v1/fleet/nodes/unknown");
        holds(document, "/api/v1/flow", 200, "/api/v1/flow");
        holds(document, "/api/v1/replicas", 200, "/api/v1/replicas");
        holds(document, "/api/v1/bypassed", 200, "/api/v1/bypassed");
        holds(document, "/api/v1/status", 200, "/api/v1/status");
        holds(document, "/api/v1/diagnosis", 400, "/api/v1/diagnosis?unknown=1");
        holds(document, "/api/v1/diagnosis", 404, "/api/v1/diagnosis");
        holds(document, "/api/v1/decisions", 200, "/api/v1/decisions");
        holds(document, "/api/v1/decisions", 400, "/api/v1/decisions?limit=0");
        holds(document, "/api/v1/decisions/summary", 200, "/api/v1/decisions/summary");
        holds(document, "/api/v1/decisions/summary", 400, "/api/v1/decisions/summary?since=never");
        holds(document, "/api/v1/decisions/{uid}", 200, "/api/v1/decisions/described");
        holds(document, "/api/v1/decisions/{uid}", 404, "/api/v1/decisions/unknown");
        assertThat(document.path("paths").properties().stream().map(Map.Entry::getKey))
                .containsExactlyInAnyOrder(
                        "/api/v1/capacity",
                        "/api/v1/capacity/history",
                        "/api/v1/capacity/holders",
                        "/api/v1/fleet",
                        "/api/v1/fleet/nodes/{node}",
                        "/api/v1/flow",
                        "/api/v1/replicas",
                        "/api/v1/bypassed",
                        "/api/v1/status",
                        "/api/v1/diagnosis",
                        "/api/v1/decisions",
                        "/api/v1/decisions/summary",
                        "/api/v1/decisions/{uid}",
                        "/api/v1/events",
                        "/api/v1/explain",
                        "/api/v1/openapi.json");
        String refusal = gateway.page("/api/v1/decisions?unknown=1");
        document.at("/paths/~1api~1v1~1decisions/get/parameters")
                .forEach(parameter ->
                        assertThat(refusal).contains(parameter.path("name").asText()));
    }

    @Test
    void whatIsRefusedBelowTheApiIsAProblemForPrograms() throws Exception {
        JsonNode paths = JSON.readTree(gateway.page("/api/v1/openapi.json")).path("paths");
        for (Map.Entry<String, JsonNode> path : paths.properties()) {
            JsonNode only = path.getValue().has("get")
                    ? path.getValue().path("get")
                    : path.getValue().path("post");
            assertThat(only.path("responses").properties().stream().map(Map.Entry::getKey))
                    .as(path.getKey())
                    .contains("401", "403", "405", "503");
            isProblem(405, "DELETE", path.getKey().replace("{uid}", "u").replace("{node}", "n"));
        }
        isProblem(404, "GET", "/api/v1/nothing");
        for (String perSecond : List.of("", "0", "1001", "-1", "many")) {
            isProblem(400, "GET", "/api/v1/events?perSecond=" + perSecond);
        }
    }

    private static void isProblem(int status, String method, String path) throws Exception {
        HttpResponse<String> answer = gateway.client()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + gateway.managementPort() + path))
                                .method(method, HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).as(path).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).as(path).contains("application/problem+json");
        assertThat(JSON.readTree(answer.body()).path("status").asInt()).isEqualTo(status);
    }

    @Test
    void theStreamTellsOfADecision() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + gateway.managementPort() + "/api/v1/events"))
                .build();
        HttpResponse<Stream<String>> stream = gateway.client().send(request, HttpResponse.BodyHandlers.ofLines());
        try (Stream<String> lines = stream.body()) {
            var _ = decide("streamed");

            assertThat(stream.headers().firstValue("Content-Type")).contains("text/event-stream");
            assertThat(lines.filter(line -> line.startsWith("data: ") && line.contains("\"uid\":\"streamed\""))
                            .findFirst())
                    .isPresent();
        }
    }

    @Test
    void aConsumerThatHangsHoldsNoReview() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        BusMessageQueue<ReviewRecord> hanging =
                new BusMessageQueue<>(gateway.sluice().vertx(), "hanging", 8, _ -> {
                    try {
                        release.await();
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                    }
                });
        Topic.DECISIONS.subscribe(gateway.sluice().vertx(), batch -> hanging.offer(batch.records()));
        for (int i = 0; i < 40; i++) {
            var _ = decide("beside-a-hanging-consumer-" + i);
        }

        assertThat(hanging.dropped()).isGreaterThanOrEqualTo(40 - 8 - 1 - 1);
        release.countDown();
    }

    @Test
    void linesThatNobodyTakesAreLostAndCounted() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Appender<ILoggingEvent> hanging = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent line) {
                try {
                    release.await();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        hanging.start();
        Logger log = (Logger) LoggerFactory.getLogger(BatchedLogAppender.DECISIONS);
        double before = gateway.metric("gpu_webhook_log_lines_lost_total");
        log.addAppender(hanging);
        try {
            DecisionRecord line = SampleRecords.unchanged().record();
            Topic.DECISIONS.publish(gateway.sluice().vertx(), new ReviewRecordBatch(Collections.nCopies(5_000, line)));
            post("while-nobody-reads-the-log");

            assertThat(gateway.metric("gpu_webhook_log_lines_lost_total") - before)
                    .isBetween(5_000.0 - 2_048 - 1, 5_000.0);
        } finally {
            release.countDown();
            log.detachAppender(hanging);
        }
    }

    @Test
    void theCommandForNumbersShowsWhatWasCounted() throws Exception {
        var _ = decide("counted");
        Cli numbers = Cli.run("metrics", "--url", "http://localhost:" + gateway.managementPort(), "decisions");

        assertThat(numbers.code()).isZero();
        assertThat(numbers.out())
                .startsWith("gpu_webhook_decisions_total  Pods with a GPU request, by what was decided and why.")
                .contains("{decision=\"changed\",reason=\"NotOffered\"}  ")
                .doesNotContain("gpu_webhook_faults");
    }

    @Test
    void aMetricThatDoesNotExistIsSaid() {
        Cli none = Cli.run("metrics", "--url", "http://localhost:" + gateway.managementPort(), "nonsense");

        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("no metric of this gateway has a name with nonsense");
    }

    @Test
    void aGatewayThatDoesNotAnswerIsNamed() {
        Cli silent = Cli.run("decisions", "--url", "http://localhost:1");

        assertThat(silent.code()).isEqualTo(2);
        assertThat(silent.err())
                .contains("http://localhost:1 does not answer (connection refused or closed)")
                .contains("port-forward", "https URL, --token-file and --ca-file");
        assertThat(Cli.run("decisions", "--url", "localhost:9090").err()).contains("expected one such as");
    }
}
