package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.config.WrittenPolicy;
import dev.sluice.kube.watch.SnapshotFile;
import dev.sluice.log.BatchedLogAppender;
import dev.sluice.log.LogFormat;
import dev.sluice.log.LogLineEncoder;
import dev.sluice.log.LogLines;
import dev.sluice.log.LossCounter;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** No pod body, no environment value, no secret ever leaves a gateway, wherever it speaks and whatever it decides. */
@Timeout(60)
class SecretsStayInsideTest {

    /** It stands in every field that Sluice has no reason to tell of. */
    private static final String SECRET = "s3cr3t-marker-42";

    private static final String POLICY = "policy: { namespaces: { strict: { whenNotOffered: deny } } }";

    /** Where § stands is the secret; words in capitals differ from pod to pod. */
    private static final String POD = """
            {"kind": "Pod", "apiVersion": "v1", "§": "§",
             "metadata": {"name": "NAME", "namespace": "NAMESPACE", "uid": "§", "resourceVersion": "§",
              "labels": {"app": "§", "§": "§"}, "finalizers": ["§"], "selfLink": "§", "§": ["§"],
              "annotations": {"MODE": "keep", "example.com/token": "§", "§": "§", "kubernetes.io/limit-ranger": "§",
               "kubectl.kubernetes.io/last-applied-configuration": "{\\"env\\": \\"§\\"}"},
              "ownerReferences": [
               {"kind": "Job", "name": "trainer", "controller": true, "uid": "§", "apiVersion": "§", "§": "§"},
               {"kind": "§", "name": "§", "uid": "§", "apiVersion": "§"}],
              "managedFields": [{"manager": "§", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1",
               "fieldsV1": {"f:metadata": {"f:labels": {"f:§": {}}},
                "f:spec": {"f:containers": {"k:{\\"name\\":\\"§\\"}": {"f:env": {"k:{\\"name\\":\\"§\\"}": {}}}}}}}]},
             "spec": {
              "containers": [
               {"name": "train", "image": "registry.example.com/§:1.4", "command": ["§"], "args": ["--token=§", "§"],
                "env": [{"name": "TOKEN", "value": "§"}, {"name": "§", "value": "§"},
                 {"name": "REF", "valueFrom": {"secretKeyRef": {"name": "§", "key": "§"}}}],
                "envFrom": [{"prefix": "§", "secretRef": {"name": "§"}}, {"configMapRef": {"name": "§"}}],
                "workingDir": "/§", "ports": [{"name": "§", "containerPort": 80}],
                "volumeMounts": [{"name": "§", "mountPath": "/§", "subPath": "§"}],
                "livenessProbe": {"exec": {"command": ["§"]}},
                "lifecycle": {"postStart": {"httpGet": {"path": "/§", "httpHeaders": [{"name": "§", "value": "§"}]}}},
                "securityContext": {"seLinuxOptions": {"user": "§"}, "§": "§"},
                "terminationMessagePath": "/§", "imagePullPolicy": "§", "§": {"§": ["§"]},
                "resources": {"limits": {"RESOURCE": "AMOUNT"}, "requests": {"RESOURCE": "AMOUNT"},
                 "claims": [{"name": "§"}], "§": "§"}},
               {"name": "side", "image": "§", "env": [{"name": "A", "value": "§"}], "resources": {}}],
              "initContainers": [{"name": "init", "image": "§", "args": ["§"], "env": [{"name": "A", "value": "§"}]}],
              "ephemeralContainers": [{"name": "§", "targetContainerName": "§", "command": ["§"], "image": "§"}],
              "volumes": [{"name": "§", "secret": {"secretName": "§"}}, {"name": "h", "hostPath": {"path": "/§"}},
               {"name": "c", "csi": {"driver": "§", "volumeAttributes": {"§": "§"}}}],
              "serviceAccountName": "§", "serviceAccount": "§", "imagePullSecrets": [{"name": "§"}],
              "hostAliases": [{"ip": "10.0.0.1", "hostnames": ["§"]}], "hostname": "§", "subdomain": "§",
              "securityContext": {"sysctls": [{"name": "§", "value": "§"}], "§": "§"}, "schedulerName": "§",
              "dnsConfig": {"searches": ["§"]}, "priorityClassName": "§", "runtimeClassName": "§",
              "resourceClaims": [{"name": "§", "resourceClaimName": "§"}], "readinessGates": [{"conditionType": "§"}],
              "topologySpreadConstraints": [{"topologyKey": "§"}], "restartPolicy": "Never", "§": {"§": ["§"]}},
             "status": {"message": "§", "§": "§"}}""";

    private static final String REVIEW = """
            {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "§": {"§": "§"},
             "request": {"uid": "NAME", "kind": {"group": "", "version": "v1", "kind": "Pod", "§": "§"},
              "resource": {"group": "", "version": "v1", "resource": "pods", "§": "§"}, "name": "NAME",
              "namespace": "NAMESPACE", "operation": "CREATE",
              "userInfo": {"username": "§", "uid": "§", "groups": ["§"], "extra": {"§": ["§"]}},
              "object": %s,
              "oldObject": %s,
              "options": {"kind": "CreateOptions", "fieldManager": "§", "§": "§"}, "dryRun": false, "§": "§"},
             "response": {"uid": "§"}}""".formatted(POD, POD);

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private static final Logger OURS = (Logger) LoggerFactory.getLogger("dev.sluice");
    private static final Logger DECISIONS = (Logger) LoggerFactory.getLogger(BatchedLogAppender.DECISIONS);

    /** The name of a pod is also the uid of its review. */
    private record Sent(String name, String namespace, String mode, String resource, String amount, String decision) {

        String review() {
            return REVIEW.replace("NAMESPACE", namespace)
                    .replace("NAME", name)
                    .replace("MODE", mode)
                    .replace("RESOURCE", resource)
                    .replace("AMOUNT", amount)
                    .replace("§", SECRET);
        }
    }

    private static final String NO_MODE = "example.com/mode";
    private static final String OFFERED = "nvidia.com/mig-1g.10gb";
    private static final String MISSING = "nvidia.com/mig-3g.40gb";
    private static final List<Sent> SENT = List.of(
            new Sent("pod-a", "team", NO_MODE, MISSING, "1", "changed"),
            new Sent("pod-b", "team", NO_MODE, OFFERED, "1", "unchanged"),
            new Sent("pod-c", "team", PodRequestAnnotations.FALLBACK_MODE, MISSING, "1", "kept"),
            new Sent("pod-d", "team", NO_MODE, MISSING, SECRET, "untouched"),
            new Sent("pod-e", "strict", PodRequestAnnotations.FALLBACK_MODE, MISSING, "1", "denied"),
            new Sent("pod-f", "strict", NO_MODE, MISSING, SECRET, "denied"));

    /** What the answers say was decided, by the names of the pods. */
    private static final Map<String, String> DECIDED = new LinkedHashMap<>();
    /** What left the gateway, by where it was heard. */
    private static final Map<String, String> SAID = new LinkedHashMap<>();

    @BeforeAll
    static void listenToEverything(@TempDir Path directory) throws Exception {
        LogLines lines = new LogLines();
        Level before = OURS.getLevel();
        OURS.setLevel(Level.DEBUG);
        ROOT.addAppender(lines);
        DECISIONS.addAppender(lines);
        try {
            try (GatewayUnderTest gateway = GatewayUnderTest.start(WrittenPolicy.of(POLICY, directory))) {
                gateway.show(SnapshotFile.read(Path.of("conf/demo/clusters/mixed.yaml")));
                SAID.put("the events", events(gateway));
                refusals(gateway);
                pages(gateway);
                awaitDecisions(lines.list);
            }
        } finally {
            ROOT.detachAppender(lines);
            DECISIONS.detachAppender(lines);
            OURS.setLevel(before);
        }
        SAID.put("the log as text", written(lines.list, new LogLineEncoder()));
        SAID.put("the log as JSON", written(lines.list, jsonEncoder()));
    }

    /** Posts the reviews, and returns what a client of the stream has read when it has heard of each. */
    private static String events(GatewayUnderTest gateway) throws Exception {
        HttpResponse<Stream<String>> stream = gateway.client()
                .send(
                        HttpRequest.newBuilder(
                                        URI.create("http://localhost:" + gateway.managementPort() + "/api/v1/events"))
                                .build(),
                        HttpResponse.BodyHandlers.ofLines());
        try (Stream<String> lines = stream.body()) {
            for (Sent sent : SENT) {
                String answer = gateway.post(sent.review().getBytes(StandardCharsets.UTF_8));
                JsonNode response = JSON.readTree(answer).path("response");
                DECIDED.put(
                        sent.name(), response.at("/auditAnnotations/decision").asText());
                SAID.put("the answer for " + sent.name(), answer);
                byte[] patch = Base64.getDecoder().decode(response.path("patch").asText());
                SAID.put("the patch for " + sent.name(), new String(patch, StandardCharsets.UTF_8));
            }
            StringBuilder heard = new StringBuilder();
            Iterator<String> line = lines.iterator();
            while (!SENT.stream().allMatch(sent -> heard.indexOf(uid(sent)) >= 0)) {
                heard.append(line.next()).append('\n');
            }
            return heard.toString();
        }
    }

    private static String uid(Sent sent) {
        return "\"uid\":\"" + sent.name() + "\"";
    }

    /** Posts what is not decided: other operations, and what is no review. */
    private static void refusals(GatewayUnderTest gateway) throws Exception {
        String review = SENT.getFirst().review();
        SAID.put("the answer to an update", answer(gateway, 200, review.replace("\"CREATE\"", "\"UPDATE\"")));
        SAID.put("the answer to a half", answer(gateway, 400, review.substring(0, review.lastIndexOf("marker"))));
        SAID.put(
                "the answer to broken JSON",
                answer(gateway, 400, review.replace("\"--token=" + SECRET + "\"", SECRET)));
        SAID.put("the answer to another kind", answer(gateway, 400, review.replace("AdmissionReview", SECRET)));
        SAID.put("the answer to another version", answer(gateway, 400, review.replace("admission.k8s.io/v1", SECRET)));
    }

    private static String answer(GatewayUnderTest gateway, int status, String body) throws Exception {
        HttpResponse<String> answer = gateway.client()
                .send(
                        HttpRequest.newBuilder(URI.create("https://localhost:" + gateway.port() + "/mutate"))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return answer.body();
    }

    private static void pages(GatewayUnderTest gateway) throws Exception {
        for (String page : List.of("/metrics", "/api/v1/decisions", "/api/v1/capacity", "/api/v1/bypassed")) {
            SAID.put(page, gateway.page(page));
        }
        for (Sent sent : SENT) {
            String page = "/api/v1/decisions/" + sent.name();
            SAID.put(page, gateway.page(page));
        }
    }

    /** Lines of decisions are written on a thread of their own. */
    private static void awaitDecisions(List<ILoggingEvent> lines) {
        while (lines.stream()
                        .filter(line -> line.getLoggerName().equals(BatchedLogAppender.DECISIONS))
                        .count()
                < SENT.size()) {
            Thread.onSpinWait();
        }
    }

    private static String written(List<ILoggingEvent> lines, Encoder<ILoggingEvent> encoder) {
        return lines.stream()
                .map(line -> new String(encoder.encode(line), StandardCharsets.UTF_8))
                .collect(Collectors.joining());
    }

    /** The encoder that a gateway whose log is JSON writes with. The log of the tests remains text. */
    private static Encoder<ILoggingEvent> jsonEncoder() {
        LossCounter async = (LossCounter) ROOT.getAppender("ASYNC");
        Map<OutputStreamAppender<ILoggingEvent>, Encoder<ILoggingEvent>> before = Stream.of(
                        DECISIONS.getAppender("BATCHED"), async.getAppender("STDERR"))
                .map(appender -> (OutputStreamAppender<ILoggingEvent>) Objects.requireNonNull(appender))
                .collect(Collectors.toMap(appender -> appender, OutputStreamAppender::getEncoder));
        LogFormat.JSON.use();
        Encoder<ILoggingEvent> json = before.keySet().iterator().next().getEncoder();
        before.forEach(OutputStreamAppender::setEncoder);
        return json;
    }

    @Test
    void eachPodIsDecidedAsItWasMeantTo() {
        assertThat(DECIDED).isEqualTo(SENT.stream().collect(Collectors.toMap(Sent::name, Sent::decision)));
        assertThat(SENT)
                .allSatisfy(sent -> assertThat(sent.review().split(SECRET, -1)).hasSizeGreaterThan(200));
    }

    /** Whoever searches for the secret where nothing is said finds nothing. */
    @Test
    void everyPlaceTellsOfEveryPod() throws Exception {
        for (String place : List.of("the events", "/api/v1/decisions", "the log as text", "the log as JSON")) {
            assertThat(SAID.get(place))
                    .as(place)
                    .contains(SENT.stream().map(Sent::name).toList());
        }
        assertThat(SENT)
                .allSatisfy(sent ->
                        assertThat(SAID.get("/api/v1/decisions/" + sent.name())).contains("\"trainer\"", uid(sent)));
        assertThat(SAID.get("the patch for pod-a")).contains("3g.40gb->2g.20gb");
        assertThat(SAID.get("/metrics")).contains("gpu_webhook_decisions_total{decision=\"denied\"");
        assertThat(SAID.get("/api/v1/capacity")).contains(OFFERED);
        assertThat(SAID.get("the log as text")).contains("DEBUG a request was refused");
        for (String line : SAID.getOrDefault("the log as JSON", "").split("\n", -1)) {
            assertThat(line.isEmpty() || JSON.readTree(line).has("message"))
                    .as(line)
                    .isTrue();
        }
    }

    @Test
    void noPodBodyNoEnvironmentValueAndNoSecretEverLeaves() {
        assertThat(SAID).hasSizeGreaterThan(20);
        assertThat(SAID).allSatisfy((place, text) -> assertThat(text).as(place).doesNotContainIgnoringCase(SECRET));
    }
}
