package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.tls.CertificateAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code sluice console} says why it cannot ask the gateway in the cluster. */
class ConsoleCommandTest {

    private static final String POD = """
            {"items": [{"metadata": {"name": "gateway-a"%s},
              "spec": {"containers": [{"ports": [{"name": "management", "containerPort": 9090}],
                "readinessProbe": {"httpGet": {"scheme": "%s"}}}]},
              "status": {"conditions": [{"type": "Ready", "status": "True"}]}}]}
            """;

    @TempDir
    private Path directory;

    private HttpServer server;
    private String pods = POD.formatted("", "HTTPS");
    private String webhooks = "";
    private String missingVerb = "";

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String body = switch (path.substring(path.lastIndexOf('/') + 1)) {
            case "pods" -> pods;
            case "mutatingwebhookconfigurations" -> webhooks;
            case "selfsubjectaccessreviews" ->
                "{\"status\": {\"allowed\": " + !asked.contains("\"verb\":\"" + missingVerb + "\"") + "}}";
            default -> "";
        };
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(body.isEmpty() ? 403 : 200, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String bundle() {
        String pem =
                CertificateAuthority.create(Instant.now(), Duration.ofDays(1)).certificatePem();
        return """
            {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfigurationList", "metadata": {},
             "items": [{"metadata": {"name": "any"}, "webhooks": [{"name": "any.example.com", "clientConfig":
               {"caBundle": "%s", "service": {"name": "gpu-webhook", "namespace": "gpu-webhook"}}}]}]}
            """.formatted(Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII)));
    }

    private Cli console(String... more) throws IOException {
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: lab
                clusters: [{name: lab, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: me, user: {}}]
                contexts: [{name: lab, context: {cluster: lab, user: me}}]
                """.formatted(
                        server.getAddress().getPort()));
        Object[] words = new Object[more.length + 4];
        words[0] = "console";
        words[1] = "--no-browser";
        words[2] = "--kubeconfig";
        words[3] = kubeconfig;
        System.arraycopy(more, 0, words, 4, more.length);
        return Cli.run(words);
    }

    @Test
    void aUserWithoutATokenIsToldHowToMakeOne() throws IOException {
        webhooks = bundle();

        Cli refused = console();

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("your kubeconfig has none for this cluster; a gateway accepts no client certificate")
                .contains("kubectl -n NAMESPACE create token NAME > token, then --token-file token");
    }

    @Test
    void aUserWhoMayNotReadTheWebhookIsToldWhereTheAuthorityIs() throws IOException {
        Cli refused = console("--token-file", token());

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("it is not known which authority has signed its certificate (its webhook cannot be read: ")
                .contains("Name the authority with --ca-file")
                .doesNotContain("secret-of-the-user");
    }

    @Test
    void aTokenIsNotSentToAGatewayThatServesEverybody() throws IOException {
        pods = POD.formatted("", "HTTP");

        Cli refused = console("--token-file", token());

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("serves everybody; leave them out").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"get", "create"})
    void aUserWhoMayNotForwardAPortIsToldWhichRightIsMissing(String verb) throws IOException {
        pods = POD.formatted("", "HTTP");
        missingVerb = verb;

        Cli refused = console();

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("no gateway can be reached: the API server does not let you forward a port to its pod,"
                        + " because you may not " + verb + " pods/portforward in the namespace gpu-webhook")
                .hasLineCount(1);
    }

    @Test
    void aPodThatIsBeingDeletedIsNotAsked() throws IOException {
        pods = POD.formatted(", \"deletionTimestamp\": \"2026-11-27T08:00:00Z\"", "HTTP");

        Cli refused = console();

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("no gateway can be reached: no pod with the label app=gpu-webhook is ready in the namespace"
                        + " gpu-webhook");
    }

    private String token() throws IOException {
        return Files.writeString(directory.resolve("token"), "secret-of-the-user")
                .toString();
    }
}
