package dev.sluice.management;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.api.ReplicaStatusDocument.RightStatus;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.client.OwnRequiredRight;
import dev.sluice.kube.client.OwnRights;
import dev.sluice.log.LogLines;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(60)
class ManagementRightsLogTest {

    private static final List<OwnRequiredRight> NEEDED = Stream.concat(
                    OwnRequiredRight.everywhere("", "nodes", "decisions", "k8s/base", "list").stream(),
                    OwnRequiredRight.everywhere(
                            "", "pods", "kubernetes.events: true", "k8s/components/capacity", "list")
                            .stream())
            .toList();

    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final LogLines lines = new LogLines();
    private final Vertx vertx = Vertx.vertx();
    private volatile int status = 201;
    private Instant now = Instant.EPOCH;
    private HttpServer apiServer;
    private KubernetesClient client;
    private ManagementRightsLog check;

    @BeforeEach
    void start() throws IOException {
        apiServer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        apiServer.createContext("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", this::answer);
        apiServer.start();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://localhost:" + apiServer.getAddress().getPort())
                .build();
        client = new KubernetesClientBuilder().withConfig(config).build();
        check = new ManagementRightsLog(
                vertx.getOrCreateContext(), () -> now, new OwnRights(new ApiServer(client), NEEDED));
        ((Logger) LoggerFactory.getLogger(ManagementRightsLog.class)).addAppender(lines);
    }

    @AfterEach
    void stop() {
        ((Logger) LoggerFactory.getLogger(ManagementRightsLog.class)).detachAppender(lines);
        client.close();
        apiServer.stop(0);
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** Allows everything but to list pods. */
    private void answer(HttpExchange exchange) throws IOException {
        String review = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        asked.add(review);
        byte[] body = ("{\"status\":{\"allowed\":" + !review.contains("\"pods\"") + "}}").getBytes(UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private List<RightStatus> now() throws Exception {
        return check.now().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Test
    void aRightThatIsMissingIsToldAndLoggedOnce() throws Exception {
        assertThat(now())
                .containsExactly(
                        new RightStatus("list nodes", "decisions", "k8s/base", /* allowed= */ true, null),
                        new RightStatus(
                                "list pods",
                                "kubernetes.events: true",
                                "k8s/components/capacity",
                                /* allowed= */ false,
                                null));
        now = now.plusSeconds(11);
        var _ = now();

        assertThat(asked).hasSize(4);
        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel().levelStr).isEqualTo("WARN");
            assertThat(line.getKeyValuePairs().toString())
                    .contains("list pods, for kubernetes.events: true; k8s/components/capacity grants it");
        });
    }

    @Test
    void clientsThatAskOftenCauseFewQuestions() throws Exception {
        for (int i = 0; i < 20; i++) {
            var _ = now();
        }
        assertThat(asked).hasSize(2);
    }

    @Test
    void withoutAnAnswerNothingIsKnownAndNothingIsLogged() throws Exception {
        status = 503;
        assertThat(now()).allSatisfy(right -> {
            assertThat(right.allowed()).isNull();
            assertThat(right.problem()).contains("503");
        });
        assertThat(asked).hasSize(1);
        assertThat(lines.list).isEmpty();
    }
}
