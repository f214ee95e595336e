package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** From the admission of a pod to its start, and GPUs that DRA hands out: what the doctor says of a live cluster. */
@AgainstControlPlane
class DoctorStatesIT {

    private static final String GPU = "nvidia.com/gpu";

    private static void apply(Cluster cluster, String yaml) {
        cluster.plane().apply(yaml);
    }

    private static String replicaSet(Cluster cluster, String name) {
        return """
            apiVersion: apps/v1
            kind: ReplicaSet
            metadata: { name: %s, namespace: %s }
            spec:
              replicas: 1
              selector: { matchLabels: { app: %s } }
              template:
                metadata: { labels: { app: %s } }
                spec:
                  containers: [{ name: main, image: none, resources: { limits: { nvidia.com/gpu: 1 } } }]
            """.formatted(name, cluster.namespace(), name, name);
    }

    @Test
    void aReplicaSetWhosePodsTheGatewayRefuses(Cluster cluster) {
        apply(cluster, replicaSet(cluster, "web"));

        Doctor.of(cluster)
                .awaitExplanation(
                        cluster,
                        "replicaset/web",
                        "DeniedAtAdmission",
                        "ReplicaSet " + cluster.namespace() + "/web",
                        "no node of this cluster has any GPU resource");
    }

    @Test
    void aReplicaSetWhosePodsAPolicyRefuses(Cluster cluster) {
        String policy = "team-label-of-" + cluster.namespace();
        cluster.node("gpu-1", Map.of(GPU, "4"));
        try {
            apply(cluster, """
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata: { name: %s }
                spec:
                  failurePolicy: Fail
                  matchConstraints:
                    namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: %s } }
                    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }]
                  validations:
                  - expression: "has(object.metadata.labels) && 'team' in object.metadata.labels"
                    message: each pod needs the label team
                ---
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata: { name: %s }
                spec: { policyName: %s, validationActions: [Deny] }
                """.formatted(policy, cluster.namespace(), policy, policy));
            Eventually.holds(
                    "the policy is in force",
                    () -> cluster.dryRun(Pods.plain("without-team")).status() != 201);
            apply(cluster, replicaSet(cluster, "batch"));

            Doctor.of(cluster)
                    .awaitExplanation(
                            cluster, "replicaset/batch", "DeniedAtAdmission", "each pod needs the label team");
        } finally {
            var _ = cluster.plane()
                    .kubectl("delete", "validatingadmissionpolicies,validatingadmissionpolicybindings", policy)
                    .output();
        }
    }

    /** The API server and explain agree about a GPU in the resources of the pod itself. */
    @Test
    void aGpuInTheResourcesOfThePod(Cluster cluster) {
        cluster.node("gpu-1", Map.of(GPU, "4"));
        String pod = """
            apiVersion: v1
            kind: Pod
            metadata: { name: whole, namespace: %s }
            spec:
              resources: { limits: { nvidia.com/gpu: "1" } }
              containers: [{ name: main, image: none }]
            """.formatted(cluster.namespace());

        Command.Ended refused =
                cluster.plane().kubectl("create", "-f", "-").reading(pod).run();
        String explained = Command.in(
                        Path.of("."),
                        Gateway.LAUNCHER.toString(),
                        "explain",
                        "--kubeconfig",
                        cluster.plane().kubeconfig().toString(),
                        "-f",
                        "-")
                .reading(pod)
                .run()
                .output();

        assertThat(refused.code()).isNotZero();
        assertThat(refused.complaint()).contains("spec.resources.limits[nvidia.com/gpu]");
        assertThat(explained.replaceAll("\\s+", " ")).contains("spec.resources", "limits of a container");
    }

    @Test
    void aPodThatIsBoundAndDoesNotStart(Cluster cluster) throws Exception {
        cluster.node("gpu-1", Map.of(GPU, "4"));
        DoctorIT.created(cluster, Pods.asking("stuck", GPU));
        cluster.awaitPhase("Running", 1);
        String before = Instant.now()
                .minus(20, ChronoUnit.MINUTES)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        status(cluster, "stuck", pod -> {
            pod.getStatus().getConditions().stream()
                    .filter(condition -> condition.getType().equals("PodScheduled"))
                    .forEach(condition -> condition.setLastTransitionTime(before));
            pod.getStatus().getContainerStatuses().forEach(container -> {
                container.setReady(false);
                container.getState().setRunning(null);
                container
                        .getState()
                        .setWaiting(new ContainerStateWaiting("context deadline exceeded", "CreateContainerError"));
            });
        });

        Doctor.of(cluster)
                .awaitExplanation(
                        cluster,
                        "stuck",
                        "NotRunning",
                        "bound to node gpu-1",
                        "container main is CreateContainerError",
                        "context deadline exceeded");
    }

    private static void status(Cluster cluster, String name, Consumer<Pod> change) {
        var _ = cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withName(name)
                .editStatus(pod -> {
                    change.accept(pod);
                    return pod;
                });
    }

    @Test
    void aKubeletThatRefusesOnePodAfterTheOther(Cluster cluster) throws Exception {
        cluster.node("gpu-1", Map.of(GPU, "4"));
        for (String name : List.of("refused-a", "refused-b", "refused-c")) {
            DoctorIT.created(cluster, Pods.asking(name, GPU));
        }
        cluster.awaitPhase("Running", 3);
        for (String name : List.of("refused-a", "refused-b", "refused-c")) {
            status(cluster, name, pod -> {
                pod.getStatus().setPhase("Failed");
                pod.getStatus().setReason("UnexpectedAdmissionError");
                pod.getStatus().setMessage("Allocate failed: requested 1, available 0");
            });
        }

        Doctor.of(cluster)
                .awaitExplanation(
                        cluster,
                        "refused-a",
                        "KubeletRefused",
                        "refused 3 pods: cordon node gpu-1 first",
                        "requested 1, available 0");
        assertThat(Doctor.of(cluster).run().output()).contains("Next: kubectl cordon gpu-1");
    }

    /** The slices are written by hand; no driver is needed for what the scheduler decides. */
    @Test
    void devicesThatDraHandsOut(Cluster cluster) throws Exception {
        Doctor doctor = Doctor.of(cluster);
        cluster.node("dra-1", Map.of());
        try {
            apply(cluster, """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: { name: gpu.nvidia.com }
                spec:
                  extendedResourceName: nvidia.com/gpu
                  selectors: [{ cel: { expression: "device.driver == 'gpu.nvidia.com'" } }]
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: { name: dra-1 }
                spec:
                  driver: gpu.nvidia.com
                  nodeName: dra-1
                  pool: { name: dra-1, generation: 1, resourceSliceCount: 1 }
                  devices: [{ name: gpu-0 }, { name: gpu-1 }]
                """);
            Eventually.holds(
                    "the gateway knows the slice",
                    () -> cluster.dryRun(Pods.asking("probe", GPU)).status() == 201);
            DoctorIT.created(cluster, Pods.asking("holds", GPU, 2));
            cluster.awaitPhase("Running", 1);
            DoctorIT.created(cluster, Pods.asking("waits", GPU));
            doctor.awaitExplanation(
                    cluster,
                    "waits",
                    "AllUsed",
                    "2 allocatable and 2 used",
                    "held by " + cluster.namespace() + "/holds");
            DoctorIT.created(cluster, Pods.asking("too-many", GPU, 3));
            doctor.awaitExplanation(cluster, "too-many", "NeverFitsOneNode", "is 2 on node dra-1");
            assertThat(doctor.report("--node", "dra-1").at("/nodes/0/findings").findValuesAsText("code"))
                    .containsExactly("DraManaged");

            cluster.delete(cluster.namespace(), "holds");
            doctor.awaitVerdict(cluster, "waits", "Healthy");
        } finally {
            var _ = cluster.plane()
                    .kubectl("delete", "pods", "--all", "-n", cluster.namespace(), "--grace-period=0", "--force")
                    .output();
            var _ = cluster.plane()
                    .kubectl("delete", "deviceclasses,resourceslices", "--all")
                    .output();
        }
    }
}
