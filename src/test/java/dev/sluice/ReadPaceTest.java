package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.api.OpenApi;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Topic;
import dev.sluice.management.ManagementPortSettings;
import dev.sluice.management.ManagementVerticle;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.webhook.intake.ClientAbuseCounter;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readers of the management port who ask more often than people do, while a gateway is slow. */
class ReadPaceTest {

    /** As many clients may be connected, and they take less than a second to ask. */
    private static final int READERS = 40;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final HoldableVerticle gateway = new HoldableVerticle();
    private final AtomicInteger recordsWanted = new AtomicInteger();
    private final int port = Ports.free();

    @BeforeEach
    void start() throws Exception {
        Topic.install(vertx);
        Topic.RECORDS_WANTED.subscribe(vertx, _ -> recordsWanted.incrementAndGet());
        RecordFlushRequest held = new RecordFlushRequest(List.of(await(vertx.deployVerticle(gateway))));
        var _ = await(vertx.deployVerticle(new ManagementVerticle(
                new ManagementPortSettings(
                        new HttpServerOptions().setHost("localhost").setPort(port),
                        new Connections(ConnectionLimits.MANAGEMENT, new ClientAbuseCounter()),
                        ActivePolicy.DEFAULT,
                        Optional.empty(),
                        () -> Instant.EPOCH),
                new Scrape(List.of(), held),
                held,
                List.of())));
        gateway.hold();
    }

    @AfterEach
    void stop() throws Exception {
        gateway.release();
        client.close();
        var _ = await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private CompletableFuture<HttpResponse<String>> ask(String path) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The answers to readers who ask all at once. The gateway is no longer slow when the first one has come. */
    private List<HttpResponse<String>> askAtOnce(IntFunction<String> path) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> asked =
                IntStream.range(0, READERS).mapToObj(path).map(this::ask).toList();
        var _ = CompletableFuture.anyOf(asked.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        gateway.release();
        CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        return asked.stream().map(CompletableFuture::join).toList();
    }

    @Test
    void allWhoAskTheSameShareAnAnswerAndTheGatewaysAreAskedOnce() throws Exception {
        assertThat(askAtOnce(_ -> "/api/v1/decisions"))
                .allMatch(answer -> answer.statusCode() == 200)
                .allMatch(answer -> answer.body().startsWith("{\"total\":0"));
        // The first begins alone. Each takes a second with its rest, within which all others come.
        assertThat(recordsWanted).hasValueLessThan(READERS / 4);
    }

    @Test
    void whoComesWhileTooManyOtherQuestionsWaitIsToldToComeAgain() throws Exception {
        JsonNode document = new ObjectMapper().readTree(OpenApi.DOCUMENT.json());
        JsonNode schema = document.at("/components/schemas/Problem");
        List<HttpResponse<String>> refused = askAtOnce(number -> "/api/v1/decisions/uid-" + number).stream()
                .filter(answer -> answer.statusCode() != 404)
                .toList();

        assertThat(refused).isNotEmpty().hasSizeLessThan(READERS);
        for (HttpResponse<String> answer : refused) {
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValue("Retry-After")).contains("1");
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(new JsonSchema(document).problems(schema, new ObjectMapper().readTree(answer.body())))
                    .isEmpty();
        }
        for (String path : List.of("/api/v1/decisions", "/api/v1/decisions/{uid}", "/api/v1/diagnosis")) {
            assertThat(document.path("paths")
                            .path(path)
                            .at("/get/responses/429")
                            .isMissingNode())
                    .as(path)
                    .isFalse();
        }
    }

    @Test
    void aWrongQueryTakesNobodysPlace() throws Exception {
        CompletableFuture<HttpResponse<String>> slow = ask("/api/v1/decisions");
        while (recordsWanted.get() == 0) {
            Thread.onSpinWait();
        }
        List<CompletableFuture<HttpResponse<String>>> wrong = Stream.of("/api/v1/decisions?x=", "/api/v1/diagnosis?x=")
                .flatMap(path -> IntStream.range(0, READERS).mapToObj(number -> ask(path + number)))
                .toList();

        for (CompletableFuture<HttpResponse<String>> answer : wrong) {
            assertThat(answer.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(400);
        }
        assertThat(ask("/api/v1/decisions?limit=1").get(10, TimeUnit.SECONDS).statusCode())
                .isEqualTo(200);
        assertThat(slow.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }

    @Test
    void aQuestionIsTheSameHoweverItIsWritten() throws Exception {
        assertThat(askAtOnce(
                        number -> "/api/v1/decisions?" + (number % 2 == 0 ? "limit=7&name=a" : "name=a&limit=%37")))
                .allMatch(answer -> answer.statusCode() == 200);
        assertThat(recordsWanted).hasValueLessThan(READERS / 4);
    }

    @Test
    void whoAsksForADiagnosisWaitsForNoDecision() throws Exception {
        // Otherwise the diagnosis would be late for being the first answer of all.
        var _ = ask("/api/v1/diagnosis?x=1").get(10, TimeUnit.SECONDS);
        CompletableFuture<HttpResponse<String>> slow = ask("/api/v1/decisions");
        while (recordsWanted.get() == 0) {
            Thread.onSpinWait();
        }

        assertThat(ask("/api/v1/diagnosis").get(10, TimeUnit.SECONDS).statusCode())
                .isEqualTo(404);
        assertThat(slow).isNotDone();
        assertThat(slow.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }
}
