package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.app.ClusterSource;
import dev.sluice.config.WrittenPolicy;
import dev.sluice.reload.ReloadedPolicySource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Availability mode, where a file tells which pods there are. */
class SnapshotAvailabilityTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Less than the 34 s after which a reservation ends by itself, and more than the 2 s in which a change is seen. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String NODE = """
            kind: Node
            apiVersion: v1
            metadata: {name: a}
            status: {allocatable: {nvidia.com/gpu: 1, pods: 9}}
            """;

    @TempDir
    private Path directory;

    private GatewayUnderTest gateway(Path cluster) throws IOException {
        return GatewayUnderTest.start(
                WrittenPolicy.of("policy: { mode: availability, whenExhausted: deny }\n", directory),
                ReloadedPolicySource.FIXED,
                new ClusterSource.File(cluster));
    }

    /** A pod that asks for the one GPU there is. */
    private static JsonNode create(GatewayUnderTest gateway, String uid, String dryRun) throws Exception {
        byte[] review = """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "%s",
                 "kind": {"group": "", "version": "v1", "kind": "Pod"}, "operation": "CREATE", "namespace": "team",
                 "dryRun": %s, "object": {"metadata": {"name": "train"}, "spec": {"containers": [{"name": "c",
                   "resources": {"limits": {"nvidia.com/gpu": 1}, "requests": {"nvidia.com/gpu": 1}}}]}}}}
                """.formatted(uid, dryRun).getBytes(StandardCharsets.UTF_8);
        return JSON.readTree(gateway.post(review)).path("response");
    }

    /** The value of the annotation that the gateway gives the pod. */
    private static String stamp(JsonNode response) throws IOException {
        JsonNode patch = JSON.readTree(response.path("patch").binaryValue());
        return StreamSupport.stream(patch.spliterator(), /* parallel= */ false)
                .map(step -> step.path("value"))
                .map(value -> value.isObject() ? value.path("gpu-webhook.k8s.io/decision") : value)
                .map(JsonNode::asText)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPodThatIsSeenOnlyOnceItHasEndedMakesRoomForItsCopy() throws Exception {
        Path cluster = Files.writeString(directory.resolve("cluster.yaml"), NODE);
        try (GatewayUnderTest gateway = gateway(cluster)) {
            JsonNode admitted = create(gateway, "first", "false");
            assertThat(admitted.path("allowed").asBoolean()).isTrue();
            assertThat(create(gateway, "copy", "true").path("allowed").asBoolean())
                    .as("the only GPU is reserved")
                    .isFalse();

            Path next = Files.writeString(
                    directory.resolve("next.yaml"), NODE + """
                    ---
                    apiVersion: v1
                    kind: Pod
                    metadata:
                      name: train
                      namespace: team
                      uid: of-the-first
                      annotations: {gpu-webhook.k8s.io/decision: %s}
                    spec: {nodeName: a, containers: [{name: c, resources: {requests: {nvidia.com/gpu: 1}}}]}
                    status: {phase: Succeeded}
                    """.formatted(Objects.requireNonNull(stamp(admitted))));
            Files.move(next, cluster, StandardCopyOption.ATOMIC_MOVE);

            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!create(gateway, "copy", "true").path("allowed").asBoolean()) {
                assertThat(System.nanoTime()).as("the copy is admitted").isLessThan(end);
            }
            assertThat(create(gateway, "second", "false").path("allowed").asBoolean())
                    .isTrue();
        }
    }
}
