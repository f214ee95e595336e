package dev.sluice.cli.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.Ports;
import dev.sluice.cli.Cli;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command before a server that stands for the API server. StatusIT asks a real one. */
@Timeout(60)
class StatusCommandTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern VALUE = Pattern.compile("fallback-mode\": \"([^\"]+)\"");
    private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    private static final String PODS = "/api/v1/namespaces/gpu-webhook/pods";
    private static final String SERVICE = "/api/v1/namespaces/gpu-webhook/services/gpu-webhook";
    private static final String ENDPOINTS = "/apis/discovery.k8s.io/v1/namespaces/gpu-webhook/endpointslices";
    private static final String FORBIDDEN =
            "{\"kind\":\"Status\",\"message\":\"it is forbidden: User \\\"me\\\" cannot do it\"}";

    /** What the dry run answers; VALUE stands for the value of the annotation. */
    private record Dry(int status, String warning, String body) {}

    private static final Dry DECIDED =
            new Dry(201, "annotation fallback-mode: \\\"VALUE\\\" is ignored", "{\"kind\":\"Pod\"}");
    private static final Dry AS_WRITTEN = new Dry(201, "", "{\"kind\":\"Pod\"}");

    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(90));
    private final Map<String, String> pages = new HashMap<>();
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final Queue<String> probes = new ConcurrentLinkedQueue<>();
    private Dry dry = DECIDED;

    @TempDir
    private Path directory;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        pages.put(CONFIGURATIONS, list(webhook("Ignore", authority)));
        pages.put(
                "/api/v1/namespaces",
                "{\"items\":[" + namespace("default", "") + "," + namespace("team-x", "\"gpu-webhook\":\"disabled\",")
                        + "," + namespace("kube-system", "") + "]}");
        pages.put("/api/v1/namespaces/default", namespace("default", ""));
        pages.put("/api/v1/namespaces/team-x", namespace("team-x", "\"gpu-webhook\":\"disabled\","));
        pages.put(PODS, "{\"items\":[" + pod("a") + "," + pod("b") + "]}");
        pages.put(SERVICE, "{\"spec\":{\"ports\":[{\"name\":\"webhook\",\"port\":443}]}}");
        pages.put(ENDPOINTS, endpoints("webhook", /* isReady= */ true));
        replica("a", authority);
        replica("b", authority);
    }

    private static String endpoints(String port, boolean isReady) {
        return "{\"items\":[{\"ports\":[{\"name\":\"" + port
                + "\",\"port\":8443}],\"endpoints\":[{\"addresses\":[\"10.0.0.1\"]," + "\"conditions\":{\"ready\":"
                + isReady + "}}]}]}";
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        if (exchange.getRequestMethod().equals("POST")) {
            probes.add(body);
            Matcher value = VALUE.matcher(body);
            assertThat(value.find()).isTrue();
            if (!dry.warning().isEmpty()) {
                exchange.getResponseHeaders()
                        .add("Warning", "299 - \"" + dry.warning().replace("VALUE", value.group(1)) + "\"");
            }
            send(exchange, dry.status(), dry.body());
        } else {
            String page = pages.get(path);
            send(exchange, page == null ? 404 : page.equals(FORBIDDEN) ? 403 : 200, page == null ? "{}" : page);
        }
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String list(String... configurations) {
        return "{\"items\":[" + String.join(",", configurations) + "]}";
    }

    private static String webhook(String failurePolicy, CertificateAuthority trusted) {
        return """
            {"metadata":{"name":"gpu-allocation-webhook"},"webhooks":[{"name":"gpu-allocation.k8s.io",
             "failurePolicy":"%s","timeoutSeconds":3,"reinvocationPolicy":"IfNeeded",
             "clientConfig":{"caBundle":"%s","service":{"namespace":"gpu-webhook","name":"gpu-webhook","path":"/mutate"}},
             "rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["pods"]}],
             "namespaceSelector":{"matchExpressions":[
              {"key":"gpu-webhook","operator":"NotIn","values":["disabled"]},
              {"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["gpu-webhook","kube-system"]}]}}]}
            """.formatted(
                failurePolicy,
                Base64.getEncoder().encodeToString(trusted.certificatePem().getBytes(UTF_8)));
    }

    private static String namespace(String name, String labels) {
        return "{\"metadata\":{\"name\":\"%s\",\"labels\":{%s\"kubernetes.io/metadata.name\":\"%s\"}}}"
                .formatted(name, labels, name);
    }

    private static String pod(String name) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"status\":{\"phase\":\"Running\","
                + "\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}";
    }

    private static String path(String replica) {
        return PODS + "/" + replica + ":9090/proxy/api/v1/status";
    }

    /** What a replica says about itself. */
    private void replica(String name, CertificateAuthority issuer) {
        replica(name, issuer, "gpu-webhook.gpu-webhook.svc");
    }

    private void replica(String name, CertificateAuthority issuer, String host) {
        CertifiedKey pair =
                issuer.issue(new ServerCertificateNames(List.of(host), List.of()), Instant.now(), Duration.ofDays(30));
        try {
            pages.put(path(name), """
                {"version":"0.1.0","ready":true,"mode":"allocatable","decides":true,
                "policy":{"generation":1,"sha256":"0123456789abcdef","refused":[]},
                "watches":[{"kind":"nodes","listed":true,"withheld":false,"ageSeconds":2,"limitSeconds":30}],
                "certificate":{"notBefore":"%s","notAfter":"%s","chain":%s,"problems":[]},
                "rights":[{"right":"list nodes","neededFor":"decisions","grantedBy":"k8s/base","allowed":true}]}
                """.formatted(
                            pair.certificate().getNotBefore().toInstant(),
                            pair.certificate().getNotAfter().toInstant(),
                            JSON.writeValueAsString(pair.certificatePem())));
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void replace(String replica, String from, String to) {
        String page = Objects.requireNonNull(pages.get(path(replica)));
        assertThat(page).contains(from);
        pages.put(path(replica), page.replace(from, to));
    }

    private Cli status(String... options) throws IOException {
        return statusAt(server.getAddress().getPort(), options);
    }

    private Cli statusAt(int port, String... options) throws IOException {
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), """
            apiVersion: v1
            kind: Config
            current-context: c
            users: [{name: u, user: {token: t}}]
            clusters: [{name: k, cluster: {server: "http://localhost:%d"}}]
            contexts: [{name: c, context: {cluster: k, user: u}}]
            """.formatted(port));
        return Cli.run(Stream.concat(Stream.of("status", "--kubeconfig", kubeconfig.toString()), Stream.of(options))
                .toArray());
    }

    /** Expects this exit code, and a check with this subject and result whose evidence has this text. */
    private void assertCheck(int code, String subject, String result, String text, String... options)
            throws IOException {
        Cli run = status(
                Stream.concat(Stream.of(options), Stream.of("-o", "json")).toArray(String[]::new));
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(code);
        assertThat(checks(JSON.readTree(run.out())))
                .anySatisfy(check -> assertThat(check)
                        .startsWith(subject + " " + result + " ")
                        .contains(text));
    }

    private static List<String> checks(JsonNode report) {
        return report.path("checks").findParents("check").stream()
                .map(check -> check.path("check").asText() + " "
                        + check.path("result").asText() + " "
                        + check.path("evidence").asText())
                .toList();
    }

    @Test
    void theProbeHasTheLabelsThatTheWebhookWants() throws Exception {
        pages.put(
                CONFIGURATIONS,
                list(webhook("Ignore", authority)
                        .replace("\"rules\"", "\"objectSelector\":{\"matchLabels\":{\"gpu\":\"yes\"}},\"rules\"")));

        assertCheck(0, "pods", "ok", "all new pods with the label gpu=yes");
        assertThat(probes).anyMatch(probe -> probe.contains("\"labels\": {\"gpu\":\"yes\"}"));
    }

    @Test
    void anUndecidedProbeIsNoFailureIfAConditionMayLeaveItOut() throws Exception {
        pages.put(
                CONFIGURATIONS,
                list(webhook("Ignore", authority)
                        .replace(
                                "\"rules\"",
                                "\"matchConditions\":[{\"name\":\"ours\",\"expression\":\"true\"}],\"rules\"")));
        dry = AS_WRITTEN;

        assertCheck(2, "probe", "unknown", "the condition ours of the webhook may leave it out");
    }

    @Test
    void isFineIfTheDryRunIsDecided() throws Exception {
        Cli run = status();

        assertThat(run.code()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .doesNotContain("FAIL", "WARN", "UNKNOWN")
                .contains(
                        "2 of 2 pods in namespace gpu-webhook are ready",
                        "now 1 of 3 namespaces, without team-x, kube-system",
                        "accepted its certificate; the",
                        "The API server calls the gateway, and the gateway decides.");
        assertThat(run.out().lines()).allMatch(line -> line.length() <= 100);
        assertThat(requests)
                .filteredOn(request -> !request.startsWith("GET "))
                .singleElement()
                .satisfies(post -> assertThat(post).contains("/api/v1/namespaces/default/pods?dryRun=All"));
    }

    @Test
    void failsIfThePodComesBackAsItWasWritten() throws Exception {
        dry = AS_WRITTEN;
        Cli run = status();

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .contains("FAIL     probe", "UNKNOWN  trust", "It is NOT proved that the gateway decides about pods.")
                .doesNotContain("accepted its certificate");
    }

    @Test
    void aRecordOfAReplicaProvesTheDecisionThatLeavesNoSign() throws Exception {
        dry = AS_WRITTEN;
        pages.put(PODS + "/b:9090/proxy/api/v1/decisions", "{\"decisions\":[{\"decision\":\"changed\"}]}");

        assertCheck(0, "probe", "ok", "b has recorded a decision");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "500 | failed calling webhook \\\"gpu-allocation.k8s.io\\\": x509: signed by unknown authority | 1 | fail | x509",
                "403 | admission webhook \\\"gpu-allocation.k8s.io\\\" denied the request: no GPU | 0 | ok | refused the pod by its policy: no GPU",
                "403 | pods \\\"p\\\" is forbidden: exceeded quota: q | 1 | fail | after it had called the webhooks",
                "403 | pods is forbidden: User \\\"me\\\" cannot create resource \\\"pods\\\" | 2 | unknown | you may not create pods in namespace default",
                "403 | admission webhook \\\"other\\\" denied the request | 2 | unknown | perhaps before it called the gateway",
            })
    void tellsWhatARefusalProves(int answered, String message, int code, String result, String text) throws Exception {
        dry = new Dry(answered, "", "{\"kind\":\"Status\",\"message\":\"" + message + "\"}");

        assertCheck(code, "probe", result, text);
    }

    @Test
    void aQuotaThatRefusesADecidedPodIsNoFailure() throws Exception {
        dry = new Dry(403, DECIDED.warning(), "{\"kind\":\"Status\",\"message\":\"exceeded quota: q\"}");

        assertCheck(0, "probe", "ok", "then the API server refused the pod for another reason (exceeded quota: q)");
    }

    @Test
    void anUntrustedCertificateIsAFailureOfTrust() throws Exception {
        dry = new Dry(
                500,
                "",
                "{\"message\":\"failed calling webhook \\\"gpu-allocation.k8s.io\\\": tls: bad certificate\"}");

        assertCheck(1, "trust", "fail", "tls: bad certificate");
    }

    @Test
    void namesTheReplicaWhoseChainTheCaBundleDoesNotVerify() throws Exception {
        replica("b", CertificateAuthority.create(Instant.now(), Duration.ofDays(9)));

        assertCheck(1, "trust", "fail", "what b serves: no authority in the caBundle has signed it");
    }

    @Test
    void namesTheReplicaWhoseCertificateIsForAnotherHost() throws Exception {
        replica("b", authority, "gpu-webhook.other.svc");

        assertCheck(1, "trust", "fail", "what b serves: its certificate is not for gpu-webhook.gpu-webhook.svc");
    }

    /** The API server accepts it, too. */
    @Test
    void aCertificateForAllNamesOfTheNamespaceIsTrusted() throws Exception {
        replica("b", authority, "*.gpu-webhook.svc");

        assertCheck(0, "trust", "ok", "verifies the chain of a, b");
    }

    @Test
    void anEntryOfThePolicyThatMatchesNoNamespaceIsWarnedOf() throws Exception {
        for (String replica : List.of("a", "b")) {
            replace(replica, "\"refused\":[]", "\"refused\":[],\"namespaces\":[\"team-*\",\"defualt\",\"default\"]");
        }

        assertCheck(0, "policy", "warn", "1 entry of policy.namespaces matches no namespace: defualt");
    }

    /** The others may be among those that were not listed. */
    @Test
    void entriesOfThePolicyAreNotComparedIfNotAllNamespacesAreKnown() throws Exception {
        replace("a", "\"refused\":[]", "\"refused\":[],\"namespaces\":[\"defualt\"]");
        pages.computeIfPresent(
                "/api/v1/namespaces",
                (_, list) -> list.replace("{\"items\"", "{\"metadata\":{\"continue\":\"c\"},\"items\""));
        assertThat(status().out()).doesNotContain("policy.namespaces");

        pages.put("/api/v1/namespaces", FORBIDDEN);
        assertThat(status().out()).doesNotContain("policy.namespaces");
    }

    @Test
    void aMissingWebhookIsAFailure() throws Exception {
        pages.put(CONFIGURATIONS, list());
        dry = AS_WRITTEN;

        assertCheck(1, "registration", "fail", "no webhook gpu-allocation.k8s.io is registered");
    }

    @Test
    void aSecondWebhookIsWarnedOf() throws Exception {
        pages.put(CONFIGURATIONS, list(webhook("Ignore", authority), webhook("Fail", authority)));

        assertCheck(0, "registration", "warn", "2 webhooks call Sluice");
    }

    /** The pods of the namespace are sent by the second webhook, which also wants a label. */
    @Test
    void theProbeIsMadeWhereAnyWebhookSendsPods() throws Exception {
        String first = webhook("Ignore", authority)
                .replace("\"NotIn\",\"values\":[\"disabled\"]", "\"In\",\"values\":[\"enabled\"]");
        String second = webhook("Ignore", authority)
                .replace(
                        "\"namespaceSelector\":",
                        "\"objectSelector\":{\"matchLabels\":{\"team\":\"ml\"}},\"namespaceSelector\":");
        pages.put(CONFIGURATIONS, list(first, second));

        assertCheck(0, "probe", "ok", "namespace default: decided");
        assertThat(JSON.readTree(probes.peek()).at("/metadata/labels/team").asText())
                .isEqualTo("ml");
    }

    @Test
    void aNamespaceThatIsNotSentProvesNothing() throws Exception {
        assertCheck(2, "probe", "unknown", "without the label gpu-webhook=disabled", "-n", "team-x");
        assertThat(requests).noneMatch(request -> request.startsWith("POST "));
    }

    @Test
    void aMissingRightOfTheUserLeavesTheRest() throws Exception {
        pages.put(CONFIGURATIONS, FORBIDDEN);
        pages.put("/api/v1/namespaces", FORBIDDEN);
        pages.put("/api/v1/namespaces/default", FORBIDDEN);
        pages.put(PODS, FORBIDDEN);
        Cli run = status();

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains(
                        "UNKNOWN  registration  you may not list mutatingwebhookconfigurations",
                        "UNKNOWN  replicas      you may not list pods in namespace gpu-webhook",
                        "OK       probe",
                        "OK       trust");
    }

    @Test
    void aReplicaThatCannotBeReadIsUnknown() throws Exception {
        pages.put(path("b"), FORBIDDEN);

        assertCheck(0, "replica", "unknown", "b: you may not get pods/proxy in namespace gpu-webhook");
    }

    /** Two commands cannot listen on the same port. */
    @Test
    void eachReplicaThatCannotBeReadGetsAPortOfItsOwn() throws Exception {
        pages.put(path("a"), FORBIDDEN);
        pages.put(path("b"), FORBIDDEN);

        assertThat(nextOfReplicas())
                .containsExactly(
                        "kubectl -n gpu-webhook port-forward a 9090, and add --url http://localhost:9090",
                        "kubectl -n gpu-webhook port-forward b 9091:9090, and add --url http://localhost:9091");
    }

    @Test
    void aGuardedReplicaThatCannotBeReadNeedsATokenAndTls() throws Exception {
        pages.put(path("b"), FORBIDDEN);
        pages.put(
                PODS,
                "{\"items\":[" + pod("a") + ","
                        + pod("b").replace(
                                        "\"status\":{",
                                        "\"spec\":{\"containers\":[{\"readinessProbe\":{\"httpGet\":{"
                                                + "\"port\":\"management\",\"scheme\":\"HTTPS\"}}}]},\"status\":{")
                        + "]}");

        assertThat(nextOfReplicas())
                .containsExactly("kubectl -n gpu-webhook port-forward b 9090, and add --url https://localhost:9090"
                        + " --token-file TOKEN --ca-file CA");
    }

    /** Returns what the user shall do about the replicas that cannot be read. */
    private List<String> nextOfReplicas() throws IOException {
        return JSON.readTree(status("-o", "json").out())
                .path("checks")
                .valueStream()
                .filter(check -> check.path("check").asText().equals("replica") && check.has("next"))
                .map(check -> check.path("next").asText())
                .toList();
    }

    @Test
    void aRightThatTheGatewayLacksIsAFailure() throws Exception {
        replace("b", "\"allowed\":true", "\"allowed\":false");

        assertCheck(1, "rights", "fail", "the gateway's account may not list nodes (decisions)");
    }

    @Test
    void aPolicyThatOnlyObservesIsTold() throws Exception {
        replace("a", "\"refused\":[]", "\"enforcement\":\"observe\",\"refused\":[]");

        assertCheck(0, "policy", "ok", "it observes, so no pod is changed or refused");
    }

    @Test
    void aPolicyThatObservesInSomeNamespacesIsTold() throws Exception {
        replace("a", "\"refused\":[]", "\"enforcement\":\"mixed\",\"refused\":[]");

        assertCheck(0, "policy", "ok", "in some namespaces it only observes");
    }

    @Test
    void anUndecidedPodIsNoFailureIfAnObservingReplicaCannotBeRead() throws Exception {
        dry = AS_WRITTEN;
        pages.put(path("a"), FORBIDDEN);
        pages.put(path("b"), FORBIDDEN);

        assertCheck(2, "probe", "unknown", "unless the policy only observes");
        assertThat(status().out()).contains("name the management port of each replica with --url");
    }

    @Test
    void anUndecidedPodIsAFailureIfEachObservingReplicaSaysThatItHasNoRecord() throws Exception {
        dry = AS_WRITTEN;
        for (String name : List.of("a", "b")) {
            replace(name, "\"refused\":[]", "\"enforcement\":\"observe\",\"refused\":[]");
            pages.put(PODS + "/" + name + ":9090/proxy/api/v1/decisions", "{\"decisions\":[]}");
        }

        assertCheck(1, "probe", "fail", "without a decision");
    }

    @Test
    void anObservingPolicyThatRefusesPodsWithoutAGatewayIsWarnedOf() throws Exception {
        pages.put(CONFIGURATIONS, list(webhook("Fail", authority)));
        replace("a", "\"refused\":[]", "\"enforcement\":\"observe\",\"refused\":[]");

        assertCheck(0, "policy", "warn", "only observes, but with failurePolicy Fail");
    }

    @Test
    void saysWhichLabelIsMissingIfNoNamespaceIsSent() throws Exception {
        pages.put(
                CONFIGURATIONS,
                list(webhook("Ignore", authority)
                        .replace("\"NotIn\",\"values\":[\"disabled\"]", "\"In\",\"values\":[\"enabled\"]")));

        assertCheck(2, "namespaces", "warn", "now 0 of 3 namespaces");
        assertThat(status().out())
                .contains("kubectl label namespace NAME gpu-webhook=enabled")
                .doesNotContain("name a namespace with -n");
    }

    @Test
    void replicasThatDifferAreWarnedOf() throws Exception {
        replace("b", "\"sha256\":\"0", "\"sha256\":\"f");
        replace("b", "\"version\":\"0.1.0\"", "\"version\":\"0.2.0\"");

        assertCheck(0, "policy", "warn", "01234567: a; f1234567: b");
        assertCheck(0, "version", "warn", "0.1.0: a; 0.2.0: b");
    }

    @Test
    void anOldStateOfTheClusterIsAFailure() throws Exception {
        replace("a", "\"ageSeconds\":2", "\"ageSeconds\":31");

        assertCheck(1, "watch", "fail", "nodes at a, 31 s old");
    }

    @Test
    void inAvailabilityModeNamesWhoDecides() throws Exception {
        for (String name : List.of("a", "b")) {
            replace(
                    name,
                    "\"mode\":\"allocatable\"",
                    "\"mode\":\"availability\",\"sharing\":{\"holder\":\"a_1\",\"inSync\":[\"a_1\",\"b_2\"]}");
        }
        replace("b", "\"decides\":true", "\"decides\":false");

        assertCheck(0, "deciding", "ok", "a decides, Lease held by a_1; in sync: a_1, b_2");
    }

    @Test
    void textOfOthersDoesNotSteerTheTerminal() throws Exception {
        replace("a", "\"version\":\"0.1.0\"", "\"version\":\"\\u001b[31m\\n0\"");
        Cli run = status();

        assertThat(run.out()).doesNotContain("\u001b");
    }

    @Test
    void withoutAnApiServerNothingIsClaimed() throws Exception {
        Cli run = statusAt(Ports.free());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("cannot be reached").hasLineCount(1);
    }

    /** Programs read one document in any case. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-n a/../b -o json                 | a/../b' is not the name of a namespace",
                "-n absent -o json                 | there is no namespace absent",
                "-o json --nonsense                | Unknown option: '--nonsense'",
                "--nonsense --output=json          | Unknown option: '--nonsense'",
                "-ojson -n                         | Missing required parameter for option '--namespace'",
                "--kubeconfig absent-file -o JSON  | should be specified only once",
                "--context absent -o json          | absent",
                "--url nonsense -o json            | nonsense",
            })
    void whatEndsTheCommandIsInTheDocument(String options, String error) throws Exception {
        Cli run = status(options.split(" "));

        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(2);
        JsonNode report = JSON.readTree(run.out());
        assertThat(report.path("error").asText()).contains(error);
        assertThat(run.err()).contains(report.path("error").asText());
        assertThat(report.path("result").asText()).isEqualTo("unknown");
        assertThat(report.path("proved").asBoolean(true)).isFalse();
        assertThat(report.path("checks").isArray()).isTrue();
    }

    @Test
    void anApiServerThatDoesNotAnswerIsInTheDocument() throws Exception {
        Cli run = statusAt(Ports.free(), "-o", "json");

        assertThat(run.code()).isEqualTo(2);
        assertThat(JSON.readTree(run.out()).path("error").asText()).contains("cannot be reached");
        assertThat(JSON.readTree(status("-o", "json").out()).has("error")).isFalse();
    }

    @Test
    void aNameThatIsNoNamespaceIsRefused() throws Exception {
        assertThat(status("-n", "a/../b").code()).isEqualTo(2);
        assertThat(status("-n", "absent").err()).contains("there is no namespace absent");
    }

    @Test
    void saysHowManyEndpointsTheServiceHas() throws Exception {
        assertCheck(0, "service", "ok", "Service gpu-webhook/gpu-webhook, port 443, has 1 ready endpoint");

        // A pod with addresses of both families has one of them in each slice.
        String slice =
                "{\"ports\":[{\"name\":\"webhook\"}],\"endpoints\":[{\"addresses\":[\"ADDRESS\"],\"targetRef\":{\"name\":\"a\"}}]}";
        pages.put(
                ENDPOINTS,
                "{\"items\":[" + slice.replace("ADDRESS", "10.0.0.1") + "," + slice.replace("ADDRESS", "fd00::1")
                        + "]}");
        pages.put(CONFIGURATIONS, list(webhook("Ignore", authority), webhook("Ignore", authority)));
        assertThat(checks(JSON.readTree(status("-o", "json").out())))
                .filteredOn(check -> check.startsWith("service "))
                .singleElement()
                .asString()
                .contains("has 1 ready endpoint");
    }

    /** With failurePolicy Ignore, nothing else in the answers of the API server shows it. */
    @Test
    void aServiceThatLeadsNowhereIsAFailure() throws Exception {
        dry = AS_WRITTEN;
        pages.put(ENDPOINTS, endpoints("webhook", /* isReady= */ false));
        assertCheck(1, "service", "fail", "Service gpu-webhook/gpu-webhook has no ready endpoint");

        pages.put(ENDPOINTS, endpoints("other", /* isReady= */ true));
        assertCheck(1, "service", "fail", "has no ready endpoint");

        pages.put(SERVICE, "{\"spec\":{\"ports\":[{\"port\":80},{\"port\":8443}]}}");
        assertCheck(1, "service", "fail", "has no port 443, which the webhook names; it has 80, 8443");

        pages.remove(SERVICE);
        assertCheck(1, "service", "fail", "there is no Service gpu-webhook/gpu-webhook");

        pages.put(SERVICE, FORBIDDEN);
        assertCheck(1, "service", "unknown", "you may not get services in namespace gpu-webhook");
    }

    @Test
    void aWebhookOfAnotherNameIsRecognizedInTheAnswer() throws Exception {
        pages.put(
                CONFIGURATIONS, list(webhook("Fail", authority).replace("gpu-allocation.k8s.io", "gpus.example.com")));
        dry = new Dry(500, "", "{\"message\":\"failed calling webhook \\\"gpus.example.com\\\": no endpoints\"}");
        assertCheck(1, "probe", "fail", "failed calling webhook");

        dry = new Dry(
                403, "", "{\"message\":\"admission webhook \\\"gpus.example.com\\\" denied the request: no GPU\"}");
        assertCheck(0, "probe", "ok", "refused the pod by its policy: no GPU");
    }

    @Test
    void aConditionThatCannotBeEvaluatedIsAFailureOfTheProbe() throws Exception {
        pages.put(
                CONFIGURATIONS,
                list(
                        webhook("Fail", authority)
                                .replace(
                                        "\"rules\"",
                                        "\"matchConditions\":[{\"name\":\"ours\",\"expression\":\"object.metadata.labels.x ==\\n 'a'\"}],\"rules\"")));
        dry = new Dry(
                403,
                "",
                "{\"message\":\"pods p is forbidden: expression 'object.metadata.labels.x ==\\n 'a'' resulted in error: no such key\"}");

        assertCheck(1, "probe", "fail", "it cannot evaluate the condition ours of the webhook");
    }

    @Test
    void theCaBundleOfEachWebhookIsCompared() throws Exception {
        CertificateAuthority stranger = CertificateAuthority.create(Instant.now(), Duration.ofDays(9));
        pages.put(
                CONFIGURATIONS,
                list(
                        webhook("Ignore", authority),
                        webhook("Ignore", stranger).replace("gpu-allocation-webhook", "gpu-canary")));

        assertCheck(1, "trust", "fail", "what b serves to the webhook of gpu-canary: no authority in the caBundle");
        assertCheck(1, "pods", "ok", "gpu-canary: all new pods");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{key: gpu, operator: In, values: [a, b]}, {key: gpu, operator: NotIn, values: [a]} | | gpu=b",
                "{key: gpu, operator: Exists}                                                         | | gpu=enabled",
                "{key: gpu, operator: In, values: [b]}              | 'gpu: c' | gpu=b --overwrite",
                "{key: gpu, operator: NotIn, values: [c]}          | 'gpu: c' | gpu-",
                "{key: gpu, operator: In, values: [b]}, {key: kubernetes.io/metadata.name, operator: NotIn, values: [team-x]} | | nothing",
                "{key: gpu, operator: In, values: [b]}, {key: gpu, operator: DoesNotExist}                      | | nothing",
            })
    void theLabelThatIsAdvisedHelps(String expressions, @Nullable String labels, String advised) throws Exception {
        pages.put(
                CONFIGURATIONS,
                list(webhook("Ignore", authority)
                        .replaceFirst(
                                "(?s)\"namespaceSelector\":.*?\\]}]}",
                                "\"namespaceSelector\":" + json("{matchExpressions: [" + expressions + "]}"))));
        pages.put(
                "/api/v1/namespaces/team-x",
                json("{metadata: {name: team-x, labels: {kubernetes.io/metadata.name:" + " team-x, "
                        + Objects.requireNonNullElse(labels, "a: b") + "}}}"));
        String out = status("-n", "team-x").out().replaceAll("\\s+", " ");

        if (advised.equals("nothing")) {
            assertThat(out).contains("next: name another namespace with -n").doesNotContain("label namespace team-x");
        } else {
            assertThat(out).contains("kubectl label namespace team-x " + advised + ", or name another");
        }
    }

    private static String json(String yaml) throws IOException {
        return new YAMLMapper().readTree(yaml).toString();
    }

    @Test
    void anOlderReplicaNeedsNoForwardedPort() throws Exception {
        pages.remove(path("b"));

        assertCheck(0, "replica", "unknown", "b: its version does not answer /api/v1/status");
        assertThat(nextOfReplicas()).containsExactly("wait until the rollout has ended");
    }

    @Test
    void aKindThatSeveralReplicasWatchIsNamedOnce() throws Exception {
        replace("b", "\"ageSeconds\":2", "\"ageSeconds\":7");
        replace("b", "\"watches\":[", "\"watches\":[{\"kind\":\"pods\",\"listed\":false,\"withheld\":true},");

        assertCheck(0, "watch", "ok", "current: nodes as of 7 s ago; no decision needs pods, which are not listed");
    }
}
