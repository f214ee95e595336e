package dev.sluice.kube.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the API server is sent, and what is made of its answers. */
class ApiServerAccessRequestsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** An answer that begins, and does not end. */
    private static final String ENDLESS = "endless";

    private static final Caller READER = new Caller(
            "system:serviceaccount:monitoring:reader",
            "uid-1",
            List.of("system:serviceaccounts", "system:authenticated"),
            Map.of("authentication.kubernetes.io/pod-name", List.of("prometheus-0")));

    @TempDir
    private Path directory;

    private final Map<String, String> sent = new LinkedHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private HttpServer server;
    private KubernetesClient client;
    private ApiServerAccessRequests reviews;
    private volatile String answer = "";
    private volatile int status = 201;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        Path kubeconfig = Files.writeString(
                directory.resolve("config"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "http://localhost:%d"}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                users: [{name: u, user: {}}]
                current-context: x
                """.formatted(server.getAddress().getPort()));
        client = KubernetesClientFactory.open(kubeconfig, null, KubeconfigAdvice.OPTIONS);
        reviews = new ApiServerAccessRequests(new ApiServer(client));
    }

    @AfterEach
    void stop() {
        ended.countDown();
        client.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        sent.put(
                exchange.getRequestMethod() + " " + exchange.getRequestURI(),
                new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        if (answer.isEmpty()) {
            waitForTheEnd();
        }
        if (answer.equals(ENDLESS)) {
            exchange.sendResponseHeaders(status, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            waitForTheEnd();
            return;
        }
        byte[] body = answer.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void waitForTheEnd() {
        try {
            ended.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private JsonNode sent(String request) throws IOException {
        assertThat(sent).containsOnlyKeys(request);
        return new ObjectMapper().readTree(sent.get(request));
    }

    @Test
    void aTokenIsReviewedAndItsOwnerReadWithEverythingThatRolesSpeakOf() throws Exception {
        answer = """
                {"status": {"authenticated": true, "user": {
                  "username": "system:serviceaccount:monitoring:reader", "uid": "uid-1",
                  "groups": ["system:serviceaccounts", "system:authenticated"],
                  "extra": {"authentication.kubernetes.io/pod-name": ["prometheus-0"]}}}}""";

        assertThat(reviews.authenticate("the-token", PATIENCE)).contains(READER);
        JsonNode review = sent("POST /apis/authentication.k8s.io/v1/tokenreviews");
        assertThat(review.path("kind").asText()).isEqualTo("TokenReview");
        assertThat(review.path("apiVersion").asText()).isEqualTo("authentication.k8s.io/v1");
        assertThat(review.at("/spec/token").asText()).isEqualTo("the-token");
    }

    @Test
    void aTokenThatIsNotKnownHasNoOwner() throws Exception {
        answer = "{\"status\": {\"error\": \"invalid bearer token\", \"user\": {\"username\": \"x\"}}}";

        assertThat(reviews.authenticate("garbage", PATIENCE)).isEmpty();
    }

    @Test
    void theRightIsAskedForByPathAndVerb() throws Exception {
        answer = "{\"status\": {\"allowed\": true}}";

        assertThat(reviews.mayGet(READER, "/metrics", PATIENCE)).isTrue();
        JsonNode spec =
                sent("POST /apis/authorization.k8s.io/v1/subjectaccessreviews").path("spec");
        assertThat(spec).isEqualTo(new ObjectMapper().readTree("""
                {"user": "system:serviceaccount:monitoring:reader", "uid": "uid-1",
                 "groups": ["system:serviceaccounts", "system:authenticated"],
                 "extra": {"authentication.kubernetes.io/pod-name": ["prometheus-0"]},
                 "nonResourceAttributes": {"path": "/metrics", "verb": "get"}}"""));
    }

    @Test
    void whatIsNotAllowedOrDeniedIsNoRight() throws Exception {
        for (String no : List.of(
                "{}", "{\"status\": {\"allowed\": false}}", "{\"status\": {\"allowed\": true,\"denied\": true}}")) {
            answer = no;
            assertThat(reviews.mayGet(READER, "/metrics", PATIENCE)).as(no).isFalse();
        }
    }

    @Test
    void aRefusalOfTheQuestionIsNoAnswerToIt() {
        status = 403;
        answer = "{\"kind\": \"Status\", \"code\": 403, \"reason\": \"Forbidden\", \"message\": \"may not create\"}";

        assertThatThrownBy(() -> reviews.authenticate("the-token", PATIENCE))
                .isInstanceOf(ApiFailure.class)
                .hasMessageContaining("may not create")
                .hasMessageNotContaining("the-token");
    }

    @Test
    void aSilentServerIsWaitedForNoLongerThanThePatience() {
        assertThatThrownBy(() -> reviews.authenticate("the-token", Duration.ofMillis(200)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not answer");
    }

    /** Each part may come in time, so the patience for a part does not bound the whole. */
    @Test
    void theWholeAnswerIsWaitedForNoLongerThanThePatience() {
        answer = ENDLESS;

        assertThatThrownBy(() -> reviews.authenticate("the-token", Duration.ofSeconds(1)))
                .isInstanceOf(IOException.class)
                .hasMessage("the answer was not complete in time");
    }

    @Test
    void aMissingRightToAskIsToldWithWhatGivesIt() {
        status = 403;
        answer = """
                {"kind": "Status", "code": 403, "reason": "Forbidden", "message":
                  "tokenreviews.authentication.k8s.io is forbidden: User \\"system:serviceaccount:a:b\\" cannot create"}""";
        assertThatThrownBy(() -> reviews.authenticate("the-token", PATIENCE))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the API server answered 403 (tokenreviews")
                .hasMessageEndingWith("; apply k8s/components/secure-management");

        answer = """
                {"kind": "Status", "code": 403, "reason": "Forbidden", "message": "admission webhook \\"x\\" denied it"}""";
        assertThatThrownBy(() -> reviews.authenticate("the-token", PATIENCE))
                .isInstanceOf(IOException.class)
                .message()
                .doesNotContain("secure-management");
    }
}
