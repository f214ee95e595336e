package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.admission.ActivePolicy;
import dev.sluice.admission.Chains;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Policy;
import dev.sluice.injection.Injector;
import dev.sluice.tls.TlsEngine;
import dev.sluice.watch.PolicySource;
import dev.sluice.webhook.RawClient;
import dev.sluice.webhook.Reply;
import dev.sluice.webhook.Requests;
import dev.sluice.webhook.TestTls;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Allocatable mode with an account that may not list pods: no decision needs them, and nobody pretends to know them.
 */
class PodsWithheldTest {

    private static final String NODES = """
            {"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[
            {"metadata":{"name":"n1","resourceVersion":"5"},
            "status":{"capacity":{"nvidia.com/gpu":"8"},"allocatable":{"nvidia.com/gpu":"8"}}}]}""";

    private static final String FORBIDDEN = """
            {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,
            "message":"pods is forbidden: User cannot list resource pods in API group at the cluster scope"}""";

    private final TestTls tls = new TestTls();
    private int webhook;
    private int management;
    private HttpServer apiServer;
    private Sluice sluice;

    @BeforeEach
    void start() throws Exception {
        webhook = TestTls.freePort();
        management = TestTls.freePort();
        apiServer = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        apiServer.createContext("/", PodsWithheldTest::answer);
        apiServer.start();
        Policy policy = new Policy(
                Policy.Mode.ALLOCATABLE,
                Policy.WhenNotOffered.KEEP,
                Policy.WhenClusterHasNoGpu.DENY,
                Policy.WhenExhausted.WAIT,
                Policy.WhenStale.DECIDE,
                Chains.DEFAULT);
        sluice = await(Sluice.start(new Sluice.Parts(
                tls.secure(new HttpServerOptions().setHost("localhost").setPort(webhook), TlsEngine.OPENSSL),
                1024 * 1024,
                new HttpServerOptions().setHost("localhost").setPort(management),
                ActivePolicy.first(new Policies(policy, Map.of()), Injector.NONE),
                PolicySource.FIXED,
                new ClusterSource.Live(client()))));
    }

    private KubernetesClient client() {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://localhost:" + apiServer.getAddress().getPort())
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String asked = exchange.getRequestURI().toString();
        boolean list = asked.startsWith("/api/v1/nodes?") && !asked.contains("watch=true");
        String body = list ? NODES : asked.startsWith("/api/v1/pods?") ? FORBIDDEN : "";
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        int status = list ? 200 : body.isEmpty() ? 503 : 403;
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (exchange) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        var _ = await(sluice.close());
        apiServer.stop(0);
    }

    private Reply manage(String line) throws IOException {
        try (RawClient client = new RawClient(new Socket("localhost", management))) {
            return client.send(Requests.head(line, "Content-Length: 0")).read();
        }
    }

    private Reply review() throws IOException {
        try (RawClient client = tls.connect(webhook)) {
            return client.send(Requests.post(Requests.REVIEW)).read();
        }
    }

    private Reply readyzOncePodsAreWithheld() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        Reply page = manage("GET /readyz?verbose");
        while (!(page.body().contains("may not list") && page.status() == 200) && System.nanoTime() < deadline) {
            page = manage("GET /readyz?verbose");
        }
        return page;
    }

    @Test
    void everythingIsDecidedAndOnlyWhatIsTakenIsUnknown() throws Exception {
        Reply readyz = readyzOncePodsAreWithheld();
        assertThat(readyz.status()).isEqualTo(200);
        assertThat(readyz.body())
                .contains("not listed, because the account may not list them; Allocated is unknown\n")
                .endsWith("readyz check passed\n");

        assertThat(review().status()).isEqualTo(200);

        assertThat(manage("GET /api/v1/capacity").body())
                .contains("\"podsKnown\":false")
                .contains("\"allocatable\":8")
                .doesNotContain("available");
        assertThat(manage("GET /metrics").body())
                .contains("gpu_webhook_synced{kind=\"nodes\"} 1")
                .contains("gpu_webhook_synced{kind=\"pods\"} 0")
                .contains("gpu_webhook_watch_failures_total{kind=\"pods\"} 0");
    }
}
