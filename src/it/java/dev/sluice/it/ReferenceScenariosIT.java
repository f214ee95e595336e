package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the predecessor promised, judged by the scheduler and by what the pods carry. */
@AgainstControlPlane
class ReferenceScenariosIT {

    private static final String GPU = "nvidia.com/gpu";
    private static final String ONE = "nvidia.com/mig-1g.10gb";
    private static final String TWO = "nvidia.com/mig-2g.20gb";
    private static final String THREE = "nvidia.com/mig-3g.30gb";
    private static final String THREE_40 = "nvidia.com/mig-3g.40gb";

    @Test
    void tenPodsForMigRunOnWholeGpusUntilTheseAreUsedUp(Cluster cluster) throws Exception {
        cluster.node("worker-1", Map.of(GPU, "4"));
        cluster.node("worker-2", Map.of(GPU, "4"));
        for (int i = 0; i < 10; i++) {
            Pod pod = cluster.create(Pods.asking("pod-" + i, TWO)).pod();
            assertThat(Pods.limits(pod)).isEqualTo("{nvidia.com/gpu=1}").isEqualTo(Pods.requests(pod));
            assertThat(Pods.fallback(pod)).isEqualTo("2g.20gb->gpu");
        }
        cluster.awaitPhase("Running", 8);
        assertThat(cluster.inPhase("Pending")).hasSize(2).allSatisfy(pod ->
                assertThat(cluster.unschedulable(pod.getMetadata().getName()))
                        .startsWith("0/2 nodes are available: 2 Insufficient nvidia.com/gpu."));
    }
}
