package dev.sluice;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.app.AssembledGateway;
import dev.sluice.app.ClusterSource;
import dev.sluice.app.SluiceParts;
import dev.sluice.reload.ReloadedPolicySource;
import dev.sluice.tls.TlsEngine;
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
import java.util.function.Predicate;

/** The gateway beside an API server that lists one node and answers whoever asks for pods with a refusal. */
final class PodlessCluster implements AutoCloseable {

    private static final String NODES = """
            {"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[
            {"metadata":{"name":"n1","resourceVersion":"5"},
            "status":{"capacity":{"nvidia.com/gpu":"8"},"allocatable":{"nvidia.com/gpu":"8"}}}]}""";

    /** A refusal of lists and watches of pods. */
    record Refusal(int status, String body) {

        /** As of a server that is overloaded. */
        static final Refusal UNAVAILABLE = new Refusal(503, "");
    }

    private final TestTls tls = new TestTls();
    private final int webhook = Ports.free();
    private final int management = Ports.free();
    private final Refusal refusal;
    private final HttpServer apiServer;
    private final AssembledGateway sluice;

    PodlessCluster(Policy.Mode mode, Refusal refusal) throws IOException {
        this.refusal = refusal;
        apiServer = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        apiServer.createContext("/", this::answer);
        apiServer.start();
        Policy policy = PolicySwitches.with(Policy.DEFAULT, mode);
        sluice = await(AssembledGateway.start(new SluiceParts(
                tls.secure(new HttpServerOptions().setHost("localhost").setPort(webhook), TlsEngine.OPENSSL),
                1024 * 1024,
                new HttpServerOptions().setHost("localhost").setPort(management),
                ActivePolicy.first(new Policies(policy, Map.of()), Injector.NONE),
                ReloadedPolicySource.FIXED,
                new ClusterSource.Live(client()))));
    }

    private KubernetesClient client() {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://localhost:" + apiServer.getAddress().getPort())
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String asked = exchange.getRequestURI().toString();
        if (asked.startsWith("/api/v1/nodes?") && !asked.contains("watch=true")) {
            send(exchange, 200, NODES);
        } else if (asked.startsWith("/api/v1/pods?")) {
            send(exchange, refusal.status(), refusal.body());
        } else {
            send(exchange, 503, "");
        }
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }

    Reply manage(String line) throws IOException {
        try (RawClient client = new RawClient(new Socket("localhost", management))) {
            return client.send(Requests.head(line, "Content-Length: 0")).read();
        }
    }

    Reply review() throws IOException {
        try (RawClient client = tls.connect(webhook)) {
            return client.send(Requests.post(Requests.REVIEW)).read();
        }
    }

    /** The page of readiness as soon as it is such, or as it is after 10 s. */
    Reply readyzOnce(Predicate<Reply> wanted) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        Reply page = manage("GET /readyz?verbose");
        while (!wanted.test(page) && System.nanoTime() < deadline) {
            page = manage("GET /readyz?verbose");
        }
        return page;
    }

    @Override
    public void close() {
        var _ = await(sluice.close());
        apiServer.stop(0);
    }
}
