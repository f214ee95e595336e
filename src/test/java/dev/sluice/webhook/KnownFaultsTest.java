package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.Diagnosis;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.kube.decode.NotAReviewException;
import dev.sluice.kube.decode.ReviewDecoder;
import dev.sluice.kube.facts.FactsFiles;
import dev.sluice.ledger.placement.PlacementNodes;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions name the faults of the newest diagnosis, and of no other. */
class KnownFaultsTest {

    private static final byte[] REVIEW = """
            {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","operation":"CREATE",
            "kind":{"group":"","version":"v1","kind":"Pod"},"resource":{"group":"","version":"v1","resource":"pods"},
            "namespace":"team","object":{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","resources":
            {"limits":{"nvidia.com/gpu":"8"},"requests":{"nvidia.com/gpu":"8"}}}]}}}}""".getBytes(StandardCharsets.UTF_8);

    private static final Amounts FOUR = Amounts.of(ResourceName.NVIDIA_GPU, 4);
    private static final Node TOO_SMALL =
            new Node("gpu-1", Map.of(), List.of(), /* unschedulable= */ false, FOUR, FOUR, 1);

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private GatewayDecisionRouter decisions;

    @BeforeEach
    void start() {
        Topic.install(vertx);
        decisions = new GatewayDecisionRouter(vertx, () -> Instant.EPOCH);
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    /** A node with eight GPUs, of which so many are healthy. */
    private DiagnosisState diagnosis(int healthy) throws Exception {
        Path file = Files.writeString(directory.resolve("list.json"), """
                {"kind": "List", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "gpu-1", "labels":
                {"nvidia.com/gpu.present": "true", "nvidia.com/gpu.count": "8"}}, "status": {
                "capacity": {"nvidia.com/gpu": "8"}, "allocatable": {"nvidia.com/gpu": "%d"},
                "conditions": [{"type": "Ready", "status": "True"}]}}]}
                """.formatted(healthy));
        return new DiagnosisState.Known(Diagnosis.of(FactsFiles.read(List.of(file))), Instant.EPOCH, Instant.MAX);
    }

    private boolean namesAFault() {
        GatewayDecisionInputs moment = new GatewayDecisionInputs(
                PlacementNodes.snapshotOf(List.of(TOO_SMALL)),
                new FreshnessMessage(Instant.MIN, Instant.MIN, Duration.ofSeconds(30)),
                ActivePolicy.first(new Policies(Policy.DEFAULT, Map.of()), Injector.NONE),
                BusRequestDeadline.in(Duration.ofSeconds(10)));
        try {
            return decisions
                                    .decide(
                                            new ReviewDecoder().decode(REVIEW),
                                            NamespacePolicy.of(Policy.DEFAULT),
                                            moment)
                                    .await()
                            instanceof Verdict.Allowed allowed
                    && allowed.causes().stream().anyMatch(DecisionCause.KnownFault.class::isInstance);
        } catch (NotAReviewException broken) {
            throw new AssertionError(broken);
        }
    }

    private void awaitNamed(boolean named) {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (namesAFault() != named && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(namesAFault()).isEqualTo(named);
    }

    @Test
    void aFaultThatWasMendedIsNotNamedAnyMore() throws Exception {
        Topic.DIAGNOSES.publish(vertx, diagnosis(4));
        awaitNamed(true);

        Topic.DIAGNOSES.publish(vertx, diagnosis(8));
        awaitNamed(false);
    }

    @Test
    void aFaultIsNotNamedWhileNobodyKnowsWhetherItWasMended() throws Exception {
        Topic.DIAGNOSES.publish(vertx, diagnosis(4));
        awaitNamed(true);

        Topic.DIAGNOSES.publish(vertx, new DiagnosisState.NotDiagnosed("the API server cannot be reached"));
        awaitNamed(false);
    }
}
