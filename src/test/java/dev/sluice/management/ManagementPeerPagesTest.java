package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.Ports;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.DocumentsReply;
import dev.sluice.bus.DocumentsReply.DecisionsQuestion;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.record.ReviewRecordBatch;
import dev.sluice.record.SampleRecords;
import dev.sluice.replication.Member;
import dev.sluice.webhook.intake.ClientAbuseCounter;
import dev.sluice.webhook.intake.ConnectionLimits;
import dev.sluice.webhook.intake.Connections;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each replica answers for all of them, and asks each other replica once for that. */
@Timeout(30)
class ManagementPeerPagesTest {

    private static final Member SELF = new Member("pod-a_1", "10.0.0.1:8444");
    private static final Member OTHER = new Member("pod-b_2", "10.0.0.2:8444");
    private static final String PAGE = """
            {"total":4,"decisions":[{"id":"b-4","time":"2026-01-31T12:00:00Z","uid":"of-b"}],"leftOut":0,"missing":[]}""";

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final int port = Ports.free();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private Supplier<Future<DocumentsReply>> peers =
            () -> Future.succeededFuture(new DocumentsReply(List.of(Buffer.buffer(PAGE)), List.of("pod-c_3")));

    @BeforeEach
    void start() {
        Topic.install(vertx);
        Service.PEER_DECISIONS.serveLater(vertx, question -> {
            asked.add(question.query());
            return peers.get();
        });
        RecordFlushRequest records = new RecordFlushRequest(List.of());
        String management = vertx.deployVerticle(new ManagementVerticle(
                        new ManagementPortSettings(
                                new HttpServerOptions().setHost("localhost").setPort(port),
                                new Connections(ConnectionLimits.MANAGEMENT, new ClientAbuseCounter()),
                                ActivePolicy.DEFAULT,
                                Optional.empty(),
                                () -> Instant.EPOCH),
                        new Scrape(List.of(), records),
                        records,
                        List.of()))
                .await();
        assertThat(management).isNotEmpty();
        Topic.DECISIONS.publish(
                vertx,
                new ReviewRecordBatch(
                        List.of(SampleRecords.unchanged().uid("own").record())));
    }

    @AfterEach
    void stop() {
        client.close();
        vertx.close().await();
    }

    private void knowMembers(Member... members) {
        Topic.REPLICATION.publish(
                vertx,
                new ReplicationStatusMessage(
                        SELF, Optional.of(members[0]), 1, List.of(members), Map.of(), 0, 0, Duration.ZERO, 0, ""));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode decisions(String query) throws Exception {
        HttpResponse<String> answer = get("/api/v1/decisions" + query);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.body());
    }

    private static List<String> uids(JsonNode page) {
        return page.path("decisions").findValuesAsText("uid");
    }

    @Test
    void aReplicaThatDecidesAloneAsksNobody() throws Exception {
        assertThat(uids(decisions(""))).containsExactly("own");

        knowMembers(SELF);
        assertThat(uids(decisions(""))).containsExactly("own");
        knowMembers(new Member("pod-b_2", ""));
        assertThat(decisions("").path("missing")).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void otherReplicasAreAskedWithTheSameQuery() throws Exception {
        knowMembers(OTHER, SELF);

        JsonNode page = decisions("?limit=5&since=2026-01-01T00:00:00Z&name=a%26b%20c");

        assertThat(uids(page)).containsExactly("of-b");
        assertThat(page.path("missing").get(0).asText()).isEqualTo("pod-c_3");
        assertThat(asked).hasSize(1);
        assertThat(asked.getFirst().split("&"))
                .containsExactlyInAnyOrder("limit=5", "since=2026-01-01T00%3A00%3A00Z", "name=a%26b+c");
    }

    @Test
    void aDecisionOfAnotherReplicaIsFoundByItsUid() throws Exception {
        knowMembers(OTHER, SELF);

        assertThat(get("/api/v1/decisions/of-b").body()).contains("\"id\":\"b-4\"");
        assertThat(asked.getFirst().split("&")).containsExactlyInAnyOrder("uid=of-b", "limit=1");
    }

    @Test
    void aQueryThatCannotBeUsedIsAskedNowhere() throws Exception {
        knowMembers(OTHER, SELF);

        assertThat(get("/api/v1/decisions?limit=0").statusCode()).isEqualTo(400);
        assertThat(asked).isEmpty();
    }

    @Test
    void whoeverDoesNotAnswerInASecondIsMissing() throws Exception {
        peers = () -> Promise.<DocumentsReply>promise().future();
        knowMembers(OTHER, SELF);
        long begun = System.nanoTime();

        JsonNode page = decisions("");

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
        assertThat(uids(page)).containsExactly("own");
        assertThat(page.path("missing").get(0).asText()).isEqualTo("pod-b_2");
    }

    /** Otherwise two replicas that ask each other at the same moment would wait for each other. */
    @Test
    void aReplicaAnswersOthersWhileItAsksThem() throws Exception {
        peers = () -> Service.OWN_DECISIONS
                .ask(vertx, new DecisionsQuestion("limit=5"))
                .map(own -> new DocumentsReply(List.of(own), List.of()));
        knowMembers(OTHER, SELF);

        JsonNode page = decisions("?limit=5");

        assertThat(uids(page)).containsExactly("own");
        assertThat(page.path("missing")).isEmpty();
        assertThat(asked).hasSize(1);
    }

    @Test
    void anotherReplicaGetsTheDecisionsOfThisOneAlone() throws Exception {
        knowMembers(OTHER, SELF);
        JsonNode page =
                new ObjectMapper().readTree(own("name=train&limit=1").await().toString());

        assertThat(uids(page)).containsExactly("own");
        assertThat(page.path("missing")).isEmpty();
        assertThat(asked).isEmpty();
        assertThat(own("limit=0")
                        .transform(result -> Future.succeededFuture(result.failed()))
                        .await())
                .isTrue();
    }

    private Future<Buffer> own(String query) {
        return Service.OWN_DECISIONS.ask(vertx, new DecisionsQuestion(query));
    }

    /** Those who ask while an answer is made share the next one. */
    @Test
    void manyClientsCauseFewQuestions() throws Exception {
        knowMembers(OTHER, SELF);
        List<HttpResponse<String>> answers = IntStream.range(0, 100)
                .mapToObj(_ -> client.sendAsync(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/v1/decisions"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString()))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        assertThat(answers).allMatch(answer -> answer.statusCode() == 200);
        assertThat(asked).hasSizeLessThan(50);
    }

    @Test
    void theStatusOfAllReplicasIsShownTheOwnOneFirst() throws Exception {
        Service.PEER_STATUS.serveLater(
                vertx,
                _ -> Future.succeededFuture(new DocumentsReply(
                        List.of(
                                Buffer.buffer("{\"replica\":\"pod-b\",\"version\":\"\u202eevil\",\"new\":1}"),
                                Buffer.buffer("nonsense")),
                        List.of("pod-c_3"))));
        assertThat(new ObjectMapper().readTree(get("/api/v1/replicas").body()).path("replicas"))
                .hasSize(1);

        knowMembers(OTHER, SELF);
        HttpResponse<String> answer = get("/api/v1/replicas");
        JsonNode document = new ObjectMapper().readTree(answer.body());
        assertThat(document.at("/replicas/0/decides").isMissingNode()).isFalse();
        assertThat(document.at("/replicas/1/replica").asText()).isEqualTo("pod-b");
        assertThat(document.at("/replicas/1/new").asInt()).isEqualTo(1);
        assertThat(document.at("/missing/0").asText()).isEqualTo("pod-c_3");
        assertThat(document.at("/missing/1").asText()).isEqualTo("a replica whose answer cannot be read");
        // Text of another replica steers no terminal.
        assertThat(answer.body()).contains("\\u202e").doesNotContain("\u202e");
    }
}
