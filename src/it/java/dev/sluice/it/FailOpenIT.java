package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of pods while no replica of the gateway is there. */
@AgainstControlPlane
class FailOpenIT {

    private static final String MIG = "nvidia.com/mig-2g.20gb";

    @Test
    void gpuPodsPassAsTheyWereWrittenAndTheApiServerCountsThem(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of("nvidia.com/gpu", "4"));
        double before = cluster.plane().api().failOpenCount();
        cluster.gateway().kill();
        Pod pod = cluster.create(Pods.asking("pod", MIG)).pod();
        assertThat(Pods.limits(pod)).isEqualTo("{" + MIG + "=1}");
        assertThat(Pods.fallback(pod)).isEmpty();
        assertThat(cluster.plane().api().failOpenCount()).isEqualTo(before + 1);
        assertThat(AuditEvent.withAnnotation(cluster.plane(), cluster.namespace(), "round_0_index_0")
                        .annotation("failed-open.mutation.webhook.admission.k8s.io/round_0_index_0"))
                .contains("gpu-allocation.k8s.io");
    }

    @Test
    void theGatewaysOwnPodsCanBeCreated(Cluster cluster) throws Exception {
        cluster.gateway().kill();
        scale(cluster, 2);
        List<Pod> replicas = Eventually.found(
                "two replicas",
                () -> Optional.of(cluster.client()
                                .pods()
                                .inNamespace(Account.NAMESPACE)
                                .list()
                                .getItems())
                        .filter(pods -> pods.size() == 2));
        assertThat(replicas)
                .allSatisfy(
                        pod -> assertThat(pod.getSpec().getPriorityClassName()).isEqualTo("gpu-webhook"));
    }

    @AfterEach
    void gatewayIsBack(Cluster cluster) {
        scale(cluster, 0);
        if (!cluster.gateway().daemon().isAlive()) {
            cluster.gateway().start();
        }
    }

    private static void scale(Cluster cluster, int replicas) {
        var _ = cluster.client()
                .apps()
                .deployments()
                .inNamespace(Account.NAMESPACE)
                .withName("gpu-webhook")
                .scale(replicas);
    }
}
