package dev.sluice.it;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** As {@link DoctorIT}: MIG that is changed on a node, nodes without GPUs, and pods that preempt others. */
@AgainstControlPlane
class DoctorNodesIT {

    private static final String GPU = "nvidia.com/gpu";
    private static final String LARGE = "nvidia.com/mig-3g.40gb";
    private static final String SMALL = "nvidia.com/mig-1g.10gb";
    private static final String HEALTHY = "Healthy";

    private static void label(Cluster cluster, String node, Map<String, String> labels) {
        DoctorIT.editNode(
                cluster, node, found -> found.getMetadata().getLabels().putAll(labels));
    }

    /** The gateway leaves the pod as it is written. */
    private static Pod kept(String name, String resource) {
        return new PodBuilder(Pods.asking(name, resource))
                .editMetadata()
                .addToAnnotations("gpu-webhook.k8s.io/fallback-mode", "keep")
                .endMetadata()
                .build();
    }

    @Test
    void migThatIsChangedOnTheOnlyNode(Cluster cluster) throws Exception {
        Doctor doctor = Doctor.of(cluster);
        cluster.node("gpu-1", Map.of(LARGE, "2"));
        label(
                cluster,
                "gpu-1",
                Map.of(
                        "nvidia.com/gpu.present", "true",
                        "nvidia.com/gpu.count", "1",
                        "nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3",
                        "nvidia.com/mig.capable", "true",
                        "nvidia.com/mig.strategy", "mixed",
                        "nvidia.com/mig.config", "all-3g.40gb",
                        "nvidia.com/mig.config.state", "success"));
        DoctorIT.created(cluster, kept("slice", SMALL));
        doctor.awaitVerdict(cluster, "slice", "NeverFitsOneNode");

        label(
                cluster,
                "gpu-1",
                Map.of("nvidia.com/mig.config", "all-1g.10gb", "nvidia.com/mig.config.state", "pending"));
        doctor.awaitVerdict(cluster, "slice", "MigChangeRunning");

        label(cluster, "gpu-1", Map.of("nvidia.com/mig.config.state", "failed"));
        doctor.awaitVerdict(cluster, "slice", "MigChangeFailed");

        label(cluster, "gpu-1", Map.of("nvidia.com/mig.config.state", "success"));
        cluster.allocatable("gpu-1", Map.of(LARGE, "0", GPU, "0"));
        cluster.capacity("gpu-1", Map.of(LARGE, "0", GPU, "0"));
        doctor.awaitVerdict(cluster, "slice", "MigWithoutInstances");

        cluster.offer("gpu-1", Map.of(SMALL, "7"));
        doctor.awaitVerdict(cluster, "slice", HEALTHY);
    }

    @Test
    void theLastNodeWithGpusLeaves(Cluster cluster) throws Exception {
        Doctor doctor = Doctor.of(cluster);
        cluster.node("gpu-1", Map.of(GPU, "1"));
        cluster.node("other", Map.of("amd.com/gpu", "1"));
        DoctorIT.created(cluster, Pods.asking("first", GPU));
        cluster.awaitPhase("Running", 1);
        DoctorIT.created(cluster, Pods.asking("second", GPU));
        doctor.awaitVerdict(cluster, "second", "AllUsed");

        cluster.deleteNode("gpu-1");
        doctor.awaitVerdict(cluster, "second", "NoGpuNodes");

        cluster.node("gpu-2", Map.of(GPU, "1"));
        doctor.awaitVerdict(cluster, "second", HEALTHY);
    }

    @Test
    void aPodThatPreemptsOthers(Cluster cluster) throws Exception {
        Doctor doctor = Doctor.of(cluster);
        cluster.node("gpu-1", Map.of(GPU, "2"));
        DoctorIT.created(cluster, Pods.held(Pods.asking("holder", GPU, 2)));
        cluster.awaitPhase("Running", 1);
        cluster.priorityClass("urgent", 1_000);
        Pod preemptor = Pods.asking("preemptor", GPU, 2);
        preemptor.getSpec().setPriorityClassName("urgent");
        DoctorIT.created(cluster, preemptor);
        doctor.awaitVerdict(cluster, "preemptor", "HeldByTerminating");
        // The scheduler nominates what becomes free to the preemptor.
        DoctorIT.created(cluster, Pods.asking("late", GPU));
        doctor.awaitVerdict(cluster, "late", "AllUsed");

        cluster.letGo("holder");
        doctor.awaitVerdict(cluster, "preemptor", HEALTHY);
        doctor.awaitVerdict(cluster, "late", "AllUsed");

        cluster.delete(cluster.namespace(), "preemptor");
        doctor.awaitVerdict(cluster, "late", HEALTHY);
    }
}
