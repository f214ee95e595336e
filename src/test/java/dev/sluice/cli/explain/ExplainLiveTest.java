package dev.sluice.cli.explain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.cli.Cli;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command before a server that stands for the API server. ExplainIT asks a real one. */
@Timeout(60)
class ExplainLiveTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    private static final String PODS = "/api/v1/namespaces/gpu-webhook/pods";
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/gpu-webhook/deployments";
    private static final String CONFIG_MAP = "/api/v1/namespaces/gpu-webhook/configmaps/gpu-webhook-config-1";
    private static final String FORBIDDEN = "{kind: Status, message: 'it is forbidden: User \"me\" cannot do it'}";

    /** The page whose answer is longer than 16 MiB. */
    private static final String TOO_LONG = "{text: too long}";

    /** The specification of a pod as the manifests have it. */
    private static final String SPEC = """
            {volumes: [{name: config, configMap: {name: gpu-webhook-config-1}}, {name: tmp, emptyDir: {}}],
             containers: [{name: gateway, args: [serve, --config, /etc/sluice], volumeMounts: [
              {name: config, mountPath: /etc/sluice}, {name: tmp, mountPath: /tmp}]}]}
            """;

    /** The list of the pods of an installation, with one gateway that serves requests. */
    private static final String READY_GATEWAY = """
            {items: [{metadata: {name: gpu-webhook-a}, status: {conditions: [{type: Ready, status: 'True'}]},
             spec: {containers: [{name: gateway, ports: [{name: management, containerPort: 9090}]}]}}]}
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: train, namespace: team-a}
            spec: {containers: [{name: train, resources: {limits: {nvidia.com/mig-2g.20gb: 1}}}]}
            """;

    /** The pages in YAML, by their path. */
    private final Map<String, String> pages = new ConcurrentHashMap<>();

    @TempDir
    private Path directory;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        pages.put("/api/v1/nodes", """
                {metadata: {resourceVersion: '1'}, items: [{metadata: {name: n1, uid: u1, resourceVersion: '1'},
                 status: {allocatable: {nvidia.com/mig-1g.10gb: '4'}}}]}
                """);
        pages.put(CONFIGURATIONS, configuration(Files.readString(Path.of("k8s/base/webhook.yaml"))));
        pages.put("/api/v1/namespaces/team-a", "{metadata: {name: team-a, labels: {}}}");
        pages.put(PODS, "{items: []}");
        pages.put(DEPLOYMENTS, "{items: [{spec: {template: {spec: " + SPEC + "}}}]}");
        configured(Map.of("gateway.yaml", "policy: {chains: {}, whenNotOffered: deny}"));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static String configuration(String manifest) throws IOException {
        return JSON.createObjectNode()
                .set("items", JSON.createArrayNode().add(YAML.readTree(manifest)))
                .toString();
    }

    private void configured(Map<String, String> data) {
        pages.put(
                CONFIG_MAP,
                JSON.createObjectNode().set("data", JSON.valueToTree(data)).toString());
    }

    private void answer(HttpExchange exchange) throws IOException {
        String page = pages.get(exchange.getRequestURI().getPath());
        byte[] bytes = page == null
                ? "{}".getBytes(UTF_8)
                : JSON.writeValueAsBytes(
                        page.equals(TOO_LONG) ? Map.of("text", "x".repeat(16 << 20)) : YAML.readTree(page));
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(page == null ? 404 : page.equals(FORBIDDEN) ? 403 : 200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private Cli explain(String pod, String... options) throws IOException {
        Path file = Files.writeString(directory.resolve("pod.yaml"), pod);
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: c
                users: [{name: u, user: {token: t}}]
                clusters: [{name: k, cluster: {server: "http://localhost:%d"}}]
                contexts: [{name: c, context: {cluster: k, user: u}}]
                """.formatted(
                        server.getAddress().getPort()));
        return Cli.run(Stream.concat(Stream.of("explain", file, "--kubeconfig", kubeconfig), Stream.of(options))
                .toArray());
    }

    private JsonNode json(String pod, String... options) throws IOException {
        Cli run = explain(
                pod, Stream.concat(Stream.of("-o", "json"), Stream.of(options)).toArray(String[]::new));
        assertThat(run.out()).as(run.err()).isNotEmpty();
        return JSON.readTree(run.out());
    }

    @Test
    void usesThePolicyOfTheGatewayInTheCluster() throws IOException {
        Cli run = explain(POD);

        assertThat(run.out())
                .contains("denied: NotOffered")
                .endsWith("\nPolicy: ConfigMap gpu-webhook/gpu-webhook-config-1\n");
        assertThat(run.err())
                .isEqualTo("The running gateway was not asked: no pod with the label app=gpu-webhook is ready in the"
                        + " namespace gpu-webhook\n");
        assertThat(run.code()).isEqualTo(1);
        assertThat(json(POD, "--local").path("policy").asText())
                .isEqualTo("ConfigMap gpu-webhook/gpu-webhook-config-1");
    }

    @Test
    void laysTheKeysOverEachOther() throws IOException {
        configured(Map.of(
                "gateway.yaml", "policy: {whenNotOffered: deny}", "own.yaml", "policy: {chains: {}}", "note.txt", "-"));

        assertThat(explain(POD).out()).contains("denied: NotOffered");

        configured(Map.of("gateway.yaml", "policy: {whenNotOffered: deny}"));
        assertThat(explain(POD).out()).contains("changed: 2g.20gb->1g.10gb");
    }

    @Test
    void readsTheRulesOfInjectionBesideTheConfiguration() throws IOException {
        configured(Map.of(
                "gateway.yaml",
                "injection: {file: /etc/sluice/gpu-injection.json}",
                "gpu-injection.json",
                Files.readString(
                        Path.of("src/test/resources/cases/injection-asks-main-containers-only/injection.json"))));
        Cli injected = explain(POD, "--local");
        assertThat(injected.err()).isEmpty();
        assertThat(injected.out()).contains("nothing injected: the pod has no annotation", "ConfigMap gpu-webhook/");

        configured(Map.of("gateway.yaml", "injection: {file: /etc/sluice/gone.json}"));
        Cli run = explain(POD, "--local");
        assertThat(run.err())
                .contains("The policy of the gateway in the cluster was not read: ConfigMap"
                        + " gpu-webhook/gpu-webhook-config-1 cannot be used: ")
                .contains("/etc/sluice/gone.json")
                .doesNotContain("sluice-explain-");
        assertThat(run.out()).contains("Policy: the defaults");
    }

    @Test
    void aPodThatRunsGoesBeforeTheDeployment() throws IOException {
        pages.put(
                PODS,
                "{items: [{spec: " + SPEC.replace("config-1", "config-0") + "}, {spec: " + SPEC
                        + ", status: {conditions: [{type: Ready, status: 'True'}]}}]}");

        assertThat(json(POD, "--local").path("policy").asText()).endsWith("/gpu-webhook-config-1");
    }

    @Test
    void aPodThatOnlyHasTheLabelIsNoGateway() throws IOException {
        pages.put(
                PODS,
                "{items: [{spec: {containers: [{name: debug}]},"
                        + " status: {conditions: [{type: Ready, status: 'True'}]}}]}");

        assertThat(json(POD, "--local").path("policy").asText()).endsWith("/gpu-webhook-config-1");
    }

    @Test
    void readsProjectedVolumesAndItems() throws IOException {
        pages.put(DEPLOYMENTS, """
                {items: [{spec: {template: {spec: {
                 volumes: [{name: config, projected: {sources: [
                  {configMap: {name: gpu-webhook-config-1, items: [{key: base, path: a.yaml}]}},
                  {secret: {name: s}}, {configMap: {name: own}}]}}],
                 containers: [{name: sidecar}, {name: gateway, args: [serve, --config=/etc/sluice], volumeMounts: [
                  {name: config, mountPath: /etc/sluice}]}]}}}}]}
                """);
        configured(Map.of("base", "policy: {whenNotOffered: deny}", "other.yaml", "this: is not mounted"));
        pages.put("/api/v1/namespaces/gpu-webhook/configmaps/own", "{data: {own.yaml: 'policy: {chains: {}}'}}");

        Cli run = explain(POD, "--local");

        assertThat(run.out())
                .contains("denied: NotOffered")
                .endsWith("\nPolicy: ConfigMaps gpu-webhook/gpu-webhook-config-1, gpu-webhook/own\n");
    }

    @Test
    void saysThatItUsedTheDefaultsWhereThePolicyCannotBeRead() throws IOException {
        pages.put(CONFIG_MAP, FORBIDDEN);
        Cli run = explain(POD, "--local");
        assertThat(run.err())
                .isEqualTo("The policy of the gateway in the cluster was not read: you may not get the ConfigMap"
                        + " gpu-webhook-config-1 in namespace gpu-webhook\n");
        assertThat(run.out()).contains("changed: 2g.20gb->1g.10gb").contains("Policy: the defaults");

        pages.put(PODS, FORBIDDEN);
        pages.put(DEPLOYMENTS, FORBIDDEN);
        assertThat(explain(POD, "--local").err()).contains("you may not list pods in namespace gpu-webhook");

        pages.put(PODS, "{items: []}");
        pages.put(DEPLOYMENTS, "{items: []}");
        assertThat(explain(POD, "--local").err()).contains("no pod or Deployment has the label app=gpu-webhook");
    }

    @Test
    void aPathOfAPodLeadsToNoFileOfThisMachine() throws IOException {
        Path outside = Files.writeString(directory.resolve("gateway.yaml"), "policy: {chains: {}}");
        pages.put(
                DEPLOYMENTS,
                "{items: [{spec: {template: {spec: "
                        + SPEC.replace(
                                        "{name: config, mountPath: /etc/sluice}",
                                        "{name: config, mountPath: /../../etc}")
                                .replace("--config, /etc/sluice", "--config, '/../.." + outside + "'")
                        + "}}}]}");

        assertThat(explain(POD, "--local").err()).contains("is not in a ConfigMap");
    }

    @Test
    void saysThatTheApiServerDoesNotAsk() throws IOException {
        pages.put("/api/v1/namespaces/team-a", "{metadata: {labels: {gpu-webhook: disabled}}}");
        assertThat(explain(POD).out().replaceAll("\\s+", " "))
                .contains("The API server does not ask Sluice about pods of namespace team-a: its label gpu-webhook is"
                        + " disabled");

        pages.put("/api/v1/namespaces/team-a", "{metadata: {}}");
        assertThat(json(POD).toString()).doesNotContain("notAsked").doesNotContain("notes");
        assertThat(json(POD.replace("nvidia.com/mig-2g.20gb", "example.com/gpu"))
                        .at("/pods/0/notAsked")
                        .asText())
                .contains("Pod train: the condition asks-for-gpu of the webhook is false");
    }

    @Test
    void saysOnceWhatItCannotKnow() throws IOException {
        String two = POD + "---\n" + POD.replace("name: train,", "name: other,");
        pages.put(CONFIGURATIONS, FORBIDDEN);
        assertThat(explain(two).out().replaceAll("\\s+", " "))
                .containsOnlyOnce(
                        "It is not known whether the API server asks Sluice about these pods: you may not list"
                                + " mutatingwebhookconfigurations. kubectl create --dry-run=server shows the result.");
        assertThat(json(two).path("notes").size()).isEqualTo(1);

        pages.put(
                CONFIGURATIONS,
                configuration(Files.readString(Path.of("k8s/base/webhook.yaml"))
                        + "      - {name: only-ours, expression: \"object.metadata.name != 'x'\"}\n"));
        pages.put("/api/v1/namespaces/team-a", FORBIDDEN);
        assertThat(explain(two).out().replaceAll("\\s+", " "))
                .containsOnlyOnce("The API server also evaluates the condition only-ours of the webhook"
                        + " (object.metadata.name != 'x'); explain does not. kubectl create --dry-run=server shows the"
                        + " result.")
                .containsOnlyOnce("You may not read namespace team-a, so only its name was compared with the"
                        + " namespaceSelector of the webhook.");
    }

    @Test
    void readsTheLabelsOfSomeNamespacesOnly() throws IOException {
        String many = IntStream.range(0, 23)
                .mapToObj(number -> POD.replace("team-a", "team-" + number))
                .collect(Collectors.joining("---\n"));
        IntStream.range(0, 23)
                .forEach(number -> pages.put(
                        "/api/v1/namespaces/team-" + number, "{metadata: {labels: {gpu-webhook: disabled}}}"));

        JsonNode answer = json(many);

        assertThat(answer.path("notes").valueStream().map(JsonNode::asText))
                .containsExactly(
                        "The labels of 20 namespaces were read. Of the other 3 only the names were compared with"
                                + " the namespaceSelector of the webhook.");
        assertThat(answer.findValues("notAsked")).hasSize(20);
    }

    @Test
    void anAnswerOfTheGatewayBeyondTheLimitIsToldWithTheLimit() throws IOException {
        pages.put(PODS, READY_GATEWAY);
        pages.put(PODS + "/http:gpu-webhook-a:9090/proxy/api/v1/explain", TOO_LONG);

        assertThat(explain(POD).err())
                .isEqualTo("The running gateway was not asked: it cannot be asked through the API server: the answer is"
                        + " longer than 16 MiB\n");
    }

    @Test
    void asksTheGatewayThroughTheApiServer() throws IOException {
        pages.put(PODS, READY_GATEWAY);
        pages.put(PODS + "/http:gpu-webhook-a:9090/proxy/api/v1/explain", """
                {policy: gateway, text: "the answer\\n", pods: [{kind: Pod, name: train, namespace: team-a,
                 decision: unchanged, patch: []}]}
                """);
        pages.put(
                CONFIGURATIONS,
                configuration(Files.readString(Path.of("k8s/base/webhook.yaml"))
                        + "    objectSelector: {matchLabels: {gpu: 'yes'}}\n"));

        Cli run = explain(POD);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).startsWith("the answer\n");
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains("The API server does not ask Sluice about Pod train: it has no label gpu, and the webhook is"
                        + " registered for pods with the label gpu=yes.");
        assertThat(json(POD).at("/pods/0/notAsked").asText()).contains("it has no label gpu");
    }

    private static String gateways(String... names) {
        return Stream.of(names)
                .map(name -> "{metadata: {name: " + name + "}, status: {conditions: [{type: Ready, status: 'True'}]},"
                        + " spec: {containers: [{name: gateway, ports: [{name: management, containerPort: 9090}]}]}}")
                .collect(Collectors.joining(", ", "{items: [", "]}"));
    }

    private static String explainPath(String gateway) {
        return PODS + "/http:" + gateway + ":9090/proxy/api/v1/explain";
    }

    /** During a rollout the first one may be of an older version, or may have ended. */
    @Test
    void anotherGatewayIsAskedIfOneDoesNotKnowTheQuestion() throws IOException {
        pages.put(PODS, gateways("old", "new"));
        pages.put(explainPath("new"), "{policy: gateway, text: \"the answer\\n\", pods: [{kind: Pod, patch: []}]}");

        Cli run = explain(POD);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).startsWith("the answer\n");
    }

    @Test
    void aGatewayIsNotAskedAboutAFileWithoutPods() throws IOException {
        pages.put(PODS, gateways("one"));
        pages.put(explainPath("one"), "{policy: gateway, text: \"the answer\\n\", pods: [{kind: Pod, patch: []}]}");
        Path other = Files.writeString(
                directory.resolve("cm.yaml"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}");

        Cli run = explain(POD, other.toString());

        assertThat(run.err()).isEqualTo(other + ": explain finds no pod template in ConfigMap c, and leaves it out\n");
        assertThat(run.out()).isEqualTo("the answer\n");
        assertThat(explain("{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}")
                        .err())
                .contains("there is no pod to explain; give a Pod")
                .doesNotContain("was not asked");
    }

    @Test
    void saysOfAnEmptyPatchThatTheGatewayOnlyObserves() throws IOException {
        pages.put(PODS, gateways("one"));
        pages.put(explainPath("one"), """
                {policy: gateway, pods: [{kind: Pod, name: train, namespace: team-a, enforcement: observe,
                 decision: denied, message: no, patch: [{op: remove}]}]}
                """);

        Cli run = explain(POD, "-o", "patch");

        assertThat(run.out()).isEqualTo("[]\n");
        assertThat(run.err()).startsWith("Pod train: The policy of this namespace only observes");
        assertThat(run.code()).isZero();
    }

    @Test
    void anAnswerThatExplainsNothingIsNoGateways() throws IOException {
        pages.put(PODS, gateways("one"));
        for (String answer : List.of("[]", "{}", "{pods: [1]}")) {
            pages.put(explainPath("one"), answer);
            Cli run = explain(POD);
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err()).contains("the answer has no explanation of ").doesNotContain("internal error");
        }
    }

    @Test
    void withoutAnyRightSaysWhatWorks() throws IOException {
        pages.put(PODS, FORBIDDEN);
        pages.put(DEPLOYMENTS, FORBIDDEN);
        pages.put("/api/v1/nodes", FORBIDDEN);

        Cli run = explain(POD);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("the nodes of ").endsWith("kubectl create --dry-run=server -f FILE -o yaml\n");
    }
}
