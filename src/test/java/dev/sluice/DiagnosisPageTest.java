package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.app.ClusterSource;
import dev.sluice.cli.Cli;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The doctor of a running gateway, as its API and its metrics show it. */
@Timeout(60)
class DiagnosisPageTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String CLUSTER = """
            {"apiVersion":"v1","kind":"List","items":[
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","labels":{"nvidia.com/gpu.present":"true"}},
             "status":{"capacity":{"nvidia.com/gpu":"1","cpu":"8","memory":"8Gi","pods":"9"},
              "allocatable":{"nvidia.com/gpu":"1","cpu":"8","memory":"8Gi","pods":"9"},
              "conditions":[{"type":"Ready","status":"True"}]}},
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"wide","namespace":"team-a"},
             "spec":{"schedulerName":"default-scheduler","containers":[{"name":"c","resources":
              {"requests":{"nvidia.com/gpu":"4"},"limits":{"nvidia.com/gpu":"4"}}}]},"status":{"phase":"Pending"}}]}
            """;

    @TempDir
    Path directory;

    private Path file;
    private GatewayUnderTest gateway;

    @BeforeEach
    void start() throws Exception {
        file = Files.writeString(directory.resolve("cluster.json"), CLUSTER);
        gateway = GatewayUnderTest.diagnosing(new ClusterSource.File(file));
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private HttpResponse<String> ask(String query) throws Exception {
        URI page = URI.create("http://localhost:" + gateway.managementPort() + "/api/v1/diagnosis" + query);
        return gateway.client().send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> askUntil(int status) throws Exception {
        return until(() -> ask(""), answer -> answer.statusCode() == status);
    }

    /** The gateway diagnoses at a pace of its own. */
    private static <T> T until(Callable<T> question, Predicate<T> wanted) throws Exception {
        T answer = question.call();
        while (!wanted.test(answer)) {
            Thread.sleep(50);
            answer = question.call();
        }
        return answer;
    }

    @Test
    void theApiTellsWhatTheCommandTellsAndTheMetricCountsIt() throws Exception {
        JsonNode answer = JSON.readTree(askUntil(200).body());

        assertThat(answer.path("ageSeconds").isIntegralNumber()).isTrue();
        JsonNode withoutAge = ((ObjectNode) answer.deepCopy()).without("ageSeconds");
        assertThat(withoutAge)
                .isEqualTo(JSON.readTree(Cli.run("doctor", "--cluster-snapshot", file.toString(), "-o", "json")
                        .out()));
        assertThat(answer.at("/pods/0/verdict").asText()).isEqualTo("NeverFitsOneNode");
        JsonNode document = JSON.readTree(gateway.page("/api/v1/openapi.json"));
        assertThat(new JsonSchema(document).problems(document.at("/components/schemas/Diagnosis"), answer))
                .isEmpty();
        assertThat(gateway.metric("gpu_webhook_pending_pods{verdict=\"NeverFitsOneNode\"}"))
                .isEqualTo(1);
        assertThat(gateway.page("/metrics"))
                .contains(
                        "gpu_webhook_pending_pods{verdict=\"Unknown\"} 0.0",
                        "gpu_webhook_diagnosis_age_seconds ",
                        "gpu_webhook_diagnosis_overdue 0.0");
    }

    @Test
    void theQueryNarrowsTheAnswer() throws Exception {
        var _ = askUntil(200);

        assertThat(JSON.readTree(ask("?namespace=team-a").body()).path("pods")).hasSize(1);
        assertThat(JSON.readTree(ask("?namespace=team-b").body()).path("pods")).isEmpty();
        assertThat(JSON.readTree(ask("?pod=team-a/wide").body()).path("pods")).hasSize(1);
        assertThat(JSON.readTree(ask("?node=n1").body()).path("pods")).isEmpty();
        assertThat(ask("?nod=n1").statusCode()).isEqualTo(400);
    }

    @Test
    void afterAFailedAttemptNothingOldIsTold() throws Exception {
        var _ = askUntil(200);

        Files.writeString(file, CLUSTER.substring(0, 200));
        HttpResponse<String> failed = askUntil(503);

        assertThat(failed.headers().firstValue("Retry-After")).contains("5");
        assertThat(JSON.readTree(failed.body()).path("detail").asText()).contains("cluster.json");
        assertThat(gateway.page("/metrics")).contains("gpu_webhook_pending_pods{verdict=\"AllUsed\"} NaN");
        Files.writeString(file, CLUSTER);
        var _ = askUntil(200);
    }

    /** A number would say that no pod waits. */
    @Test
    void wherePodsAreNotReadTheMetricIsNoNumber() throws Exception {
        var _ = askUntil(200);
        JsonNode withoutPods = JSON.readTree(CLUSTER);
        var _ = ((ArrayNode) withoutPods.path("items")).remove(1);

        Files.writeString(file, withoutPods.toString());

        var _ = until(
                () -> gateway.page("/metrics"),
                page -> page.contains("gpu_webhook_pending_pods{verdict=\"AllUsed\"} NaN"));
        assertThat(ask("").statusCode()).isEqualTo(200);
    }

    @Test
    void aPodThatGetsNothingIsToldWhatIsKnownOfIt() throws Exception {
        var _ = askUntil(200);
        assertThat(warnings()).noneMatch(warning -> warning.startsWith("what is known"));

        Files.writeString(file, CLUSTER.replaceFirst("(allocatable.*gpu\":)\"1\"", "$1\"0\""));

        List<String> told =
                until(this::warnings, warnings -> warnings.stream().anyMatch(it -> it.startsWith("what is known")));
        assertThat(told.getLast())
                .isEqualTo("what is known of nvidia.com/gpu: Devices of node n1 are unhealthy:"
                        + " nvidia.com/gpu has capacity 1 and allocatable 0");
    }

    /** Of a pod that asks for one GPU. */
    private List<String> warnings() throws Exception {
        String answer = gateway.post("""
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u",
                 "kind": {"group": "", "version": "v1", "kind": "Pod"}, "operation": "CREATE", "namespace": "team-a",
                 "object": {"spec": {"containers": [{"name": "c", "resources": {
                   "limits": {"nvidia.com/gpu": "1"}, "requests": {"nvidia.com/gpu": "1"}}}]}}}}
                """.getBytes(StandardCharsets.UTF_8));
        List<String> warnings = new ArrayList<>();
        JSON.readTree(answer).at("/response/warnings").forEach(warning -> warnings.add(warning.asText()));
        return warnings;
    }
}
