package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two replicas of availability mode that observe one namespace and enforce in another. */
@AgainstControlPlane
class ObserveIT {

    private static final String GPU = "nvidia.com/gpu";
    private static final String ASKED = "nvidia.com/mig-3g.40gb";
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void whatIsObservedIsCreatedAsWrittenAndCountedByAllReplicas(Cluster cluster) throws Exception {
        String enforced = cluster.namespace();
        String observed = enforced + "-observed";
        cluster.newNamespace(observed, Map.of());
        cluster.addNode("worker", Map.of(GPU, "2"));
        String policy = "policy: {mode: availability, whenExhausted: deny, namespaces: {" + observed
                + ": {enforcement: observe, observedMessage: warning}}}\n";
        try (AvailabilityMode mode = AvailabilityMode.withShortWaits(cluster.plane(), cluster.gateway());
                Replicas replicas = new Replicas(cluster.plane(), mode, "observing", policy, 2)) {
            replicas.settled();
            replicas.awaitNodes(cluster);
            mode.register(replicas.url(), replicas.authorities());
            mode.awaitAsked(replicas.holder(), enforced);

            for (int i = 0; i < 4; i++) {
                Api.Answer created = cluster.create(Pods.asking("observed-" + i, ASKED), observed);
                assertThat(created.warnings()).anyMatch(warning -> warning.contains("would be changed: container"));
                assertAsWritten(created.pod());
            }
            for (Gateway gateway : replicas.all()) {
                assertThat(gateway.metrics().sum("gpu_webhook_ledger_assumed_decisions"))
                        .isZero();
            }
            Pod changed = cluster.create(Pods.asking("enforced", ASKED)).pod();
            assertThat(limits(changed)).containsOnlyKeys(GPU);

            // It adds its counts to those of the other one when it ends.
            Gateway ended = replicas.holder();
            ended.stop();
            Gateway left = replicas.others(ended).getFirst();
            Eventually.holds(
                    "the counts of both are shown",
                    () -> count(left, observed, "changed") == 4 && count(left, enforced, "changed") == 1);
        }
    }

    private static Map<String, ?> limits(Pod pod) {
        return pod.getSpec().getContainers().getFirst().getResources().getLimits();
    }

    private static void assertAsWritten(Pod pod) {
        assertThat(limits(pod)).containsOnlyKeys(ASKED);
        assertThat(
                        pod.getMetadata().getAnnotations() == null
                                ? List.of()
                                : pod.getMetadata().getAnnotations().keySet())
                .noneMatch(key -> String.valueOf(key).startsWith("gpu-webhook"));
    }

    private static long count(Gateway gateway, String namespace, String outcome) throws Exception {
        JsonNode summary = JSON.readTree(gateway.page("/api/v1/decisions/summary?since=1h"));
        assertThat(summary.has("onlyThisReplica")).as(summary.toString()).isFalse();
        return summary.path("chains")
                .valueStream()
                .filter(chain -> chain.path("namespace").asText().equals(namespace))
                .mapToLong(chain -> chain.path(outcome).asLong())
                .sum();
    }
}
