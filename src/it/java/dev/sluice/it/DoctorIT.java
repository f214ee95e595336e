package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSpecBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster is broken in the way a verdict speaks of, and repaired as the verdict says. */
@AgainstControlPlane
class DoctorIT {

    private static final String GPU = "nvidia.com/gpu";
    private static final String HEALTHY = "Healthy";

    static void created(Cluster cluster, Pod pod) throws IOException, InterruptedException {
        assertThat(cluster.create(pod).status()).as(pod.getMetadata().getName()).isEqualTo(201);
    }

    private static Pod asking(String name, int gpus, Consumer<PodSpec> change) {
        Pod pod = Pods.asking(name, GPU, gpus);
        change.accept(pod.getSpec());
        return pod;
    }

    /** The controllers write to nodes as well, so an edit may come too late. */
    static void editNode(Cluster cluster, String name, Consumer<Node> change) {
        Eventually.holds("node " + name + " is changed", () -> {
            var _ = cluster.client().nodes().withName(name).edit(node -> {
                if (node.getSpec() == null) {
                    node.setSpec(new NodeSpecBuilder().build());
                }
                change.accept(node);
                return node;
            });
            return true;
        });
    }

    @Test
    void cordonTaintAndLabelOfTheOnlyNode(Cluster cluster) throws Exception {
        Doctor doctor = Doctor.of(cluster);
        cluster.node("gpu-1", Map.of(GPU, "4"));
        editNode(cluster, "gpu-1", node -> node.getSpec().setUnschedulable(true));
        created(cluster, Pods.asking("cordoned", GPU));
        doctor.awaitVerdict(cluster, "cordoned", "ConstraintMismatch [cordon]");
        editNode(cluster, "gpu-1", node -> node.getSpec().setUnschedulable(false));
        doctor.awaitVerdict(cluster, "cordoned", HEALTHY);

        Taint maintenance = new Taint("NoSchedule", "maintenance", null, "yes");
        editNode(cluster, "gpu-1", node -> node.getSpec().setTaints(List.of(maintenance)));
        created(cluster, Pods.asking("tainted", GPU));
        doctor.awaitVerdict(cluster, "tainted", "ConstraintMismatch [taint]");
        editNode(cluster, "gpu-1", node -> node.getSpec().setTaints(List.of()));
        doctor.awaitVerdict(cluster, "tainted", HEALTHY);

        created(cluster, asking("selecting", 1, spec -> spec.setNodeSelector(Map.of("disk", "fast"))));
        doctor.awaitVerdict(cluster, "selecting", "ConstraintMismatch [selector]");
        editNode(cluster, "gpu-1", node -> node.getMetadata().getLabels().put("disk", "fast"));
        doctor.awaitVerdict(cluster, "selecting", HEALTHY);
    }

    @Test
    void usedUpFragmentedAndHeldByAPodThatDoesNotGo(Cluster cluster) throws Exception {
        Doctor doctor = Doctor.of(cluster);
        cluster.node("gpu-1", Map.of(GPU, "2"));
        created(cluster, Pods.held(Pods.asking("holder", GPU, 2)));
        cluster.awaitPhase("Running", 1);
        created(cluster, Pods.asking("waits", GPU, 2));
        doctor.awaitVerdict(cluster, "waits", "AllUsed");

        cluster.delete(cluster.namespace(), "holder");
        doctor.awaitVerdict(cluster, "waits", "HeldByTerminating");

        cluster.letGo("holder");
        doctor.awaitVerdict(cluster, "waits", HEALTHY);

        created(cluster, Pods.asking("too-many", GPU, 3));
        doctor.awaitVerdict(cluster, "too-many", "NeverFitsOneNode");
        cluster.node("gpu-2", Map.of(GPU, "4"));
        doctor.awaitVerdict(cluster, "too-many", HEALTHY);
    }

    @Test
    void freeOnTwoNodesButOnNeitherEnough(Cluster cluster) throws Exception {
        Doctor doctor = Doctor.of(cluster);
        for (String name : List.of("gpu-1", "gpu-2")) {
            cluster.node(name, Map.of(GPU, "2"));
            created(
                    cluster,
                    asking(
                            "small-on-" + name,
                            1,
                            spec -> spec.setNodeSelector(Map.of("kubernetes.io/hostname", name))));
        }
        cluster.awaitPhase("Running", 2);
        created(cluster, Pods.asking("big", GPU, 2));
        doctor.awaitVerdict(cluster, "big", "Fragmented");
        cluster.delete(cluster.namespace(), "small-on-gpu-2");
        doctor.awaitVerdict(cluster, "big", HEALTHY);
    }

    @Test
    void gatesAnotherSchedulerAndAProfileThatNoModelHas(Cluster cluster) throws Exception {
        Doctor doctor = Doctor.of(cluster);
        cluster.node("gpu-1", Map.of(GPU, "4"));
        Pod gated = new PodBuilder(Pods.asking("gated", GPU))
                .editSpec()
                .addNewSchedulingGate("example.com/quota")
                .endSpec()
                .build();
        created(cluster, gated);
        doctor.awaitVerdict(cluster, "gated", "SchedulingGated");
        var _ = cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withName("gated")
                .edit(pod -> {
                    pod.getSpec().setSchedulingGates(List.of());
                    return pod;
                });
        doctor.awaitVerdict(cluster, "gated", HEALTHY);

        created(cluster, asking("foreign", 1, spec -> spec.setSchedulerName("nobody")));
        doctor.awaitVerdict(cluster, "foreign", "OtherScheduler");

        created(cluster, Pods.asking("invented", "nvidia.com/mig-9g.99gb"));
        doctor.awaitVerdict(cluster, "invented", "UnknownProfile");
    }

    @Test
    void aPluginThatStopsAndADeviceThatFails(Cluster cluster) throws Exception {
        Doctor doctor = Doctor.of(cluster);
        cluster.node("gpu-1", Map.of(GPU, "2"));
        // The gateway refuses pods with GPUs where no node has any.
        cluster.node("other", Map.of("amd.com/gpu", "1"));
        cluster.allocatable("gpu-1", Map.of(GPU, "0"));
        cluster.capacity("gpu-1", Map.of(GPU, "0"));
        created(cluster, Pods.asking("waits", GPU, 2));
        editNode(
                cluster,
                "gpu-1",
                node -> node.getMetadata()
                        .getLabels()
                        .putAll(Map.of("nvidia.com/gpu.present", "true", "nvidia.com/gpu.count", "2")));
        doctor.awaitVerdict(cluster, "waits", "PluginStopped");
        String two = Serialization.asYaml(Pods.asking("explained", GPU, 2));
        assertThat(doctor.knownFaults(two))
                .singleElement()
                .satisfies(fault -> assertThat(fault.path("text").asText()).contains("gpu-1"));
        cluster.capacity("gpu-1", Map.of(GPU, "2"));
        cluster.allocatable("gpu-1", Map.of(GPU, "1"));
        doctor.awaitVerdict(cluster, "waits", "UnhealthyDevices");
        cluster.allocatable("gpu-1", Map.of(GPU, "2"));
        doctor.awaitVerdict(cluster, "waits", HEALTHY);
        assertThat(doctor.knownFaults(two)).isEmpty();
    }

    @Test
    void aQuotaThatKeepsAReplicaSetFromItsPods(Cluster cluster) {
        Doctor doctor = Doctor.of(cluster);
        cluster.node("gpu-1", Map.of(GPU, "4"));
        var quotas = cluster.client().resourceQuotas().inNamespace(cluster.namespace());
        var _ = quotas.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("gpus")
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of("requests." + GPU, new Quantity("1")))
                        .endSpec()
                        .build())
                .create();
        Eventually.holds(
                "the quota is in force",
                () -> quotas.withName("gpus").get().getStatus().getUsed() != null);
        var _ = cluster.client()
                .resource(new ReplicaSetBuilder()
                        .withNewMetadata()
                        .withName("web")
                        .withNamespace(cluster.namespace())
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(1)
                        .withNewSelector()
                        .withMatchLabels(Map.of("app", "web"))
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .withLabels(Map.of("app", "web"))
                        .endMetadata()
                        .withSpec(Pods.spec(Pods.container("main", GPU, 2)))
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
        doctor.awaitVerdict(cluster, "replicaset/web", "QuotaExceeded");

        var _ = quotas.withName("gpus").delete();
        doctor.awaitVerdict(cluster, "web-", HEALTHY);
    }

    @Test
    void aVolumeThatIsNotThere(Cluster cluster) throws Exception {
        Doctor doctor = Doctor.of(cluster);
        cluster.node("gpu-1", Map.of(GPU, "4"));
        Pod pod = new PodBuilder(Pods.asking("reads", GPU))
                .editSpec()
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim("data", /* readOnly= */ false)
                .endVolume()
                .endSpec()
                .build();
        created(cluster, pod);
        doctor.awaitVerdict(cluster, "reads", "ConstraintMismatch [volume]");

        String volume = "volume-of-" + cluster.namespace();
        var disk = cluster.client()
                .resource(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName(volume)
                        .endMetadata()
                        .withNewSpec()
                        .withCapacity(Map.of("storage", new Quantity("1Gi")))
                        .withAccessModes("ReadWriteOnce")
                        .withStorageClassName("")
                        .withNewHostPath("/none", "")
                        .endSpec()
                        .build());
        var _ = disk.create();
        try {
            var _ = cluster.client()
                    .resource(new PersistentVolumeClaimBuilder()
                            .withNewMetadata()
                            .withName("data")
                            .withNamespace(cluster.namespace())
                            .endMetadata()
                            .withNewSpec()
                            .withAccessModes("ReadWriteOnce")
                            .withStorageClassName("")
                            .withVolumeName(volume)
                            .withNewResources()
                            .withRequests(Map.of("storage", new Quantity("1Gi")))
                            .endResources()
                            .endSpec()
                            .build())
                    .create();
            doctor.awaitVerdict(cluster, "reads", HEALTHY);
        } finally {
            var _ = disk.delete();
        }
    }

    @Test
    void aPodThatTheKubeletRefuses(Cluster cluster) throws Exception {
        Doctor doctor = Doctor.of(cluster);
        cluster.node("gpu-1", Map.of(GPU, "4"));
        created(cluster, Pods.asking("refused", GPU));
        cluster.awaitPhase("Running", 1);
        var _ = cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withName("refused")
                .editStatus(pod -> {
                    pod.getStatus().setPhase("Failed");
                    pod.getStatus().setReason("UnexpectedAdmissionError");
                    pod.getStatus().setMessage("Allocate failed: requested 1, available 0");
                    return pod;
                });
        doctor.awaitVerdict(cluster, "refused", "KubeletRefused");
    }

    @Test
    void aClaimThatIsMissing(Cluster cluster) throws Exception {
        Doctor doctor = Doctor.of(cluster);
        cluster.node("gpu-1", Map.of(GPU, "4"));
        Pod pod = new PodBuilder(Pods.plain("claims"))
                .editSpec()
                .addNewResourceClaim()
                .withName("gpu")
                .withResourceClaimName("mine")
                .endResourceClaim()
                .endSpec()
                .build();
        created(cluster, pod);
        doctor.awaitVerdict(cluster, "claims", "DraClaimUnsatisfied");
    }

    /** Everything else is unchecked, with the consequence of each. */
    @Test
    void anAccountThatMayListPodsAndNodesOnly(Cluster cluster) throws Exception {
        try (ReadingAccount account = ReadingAccount.of(cluster, List.of("pods", "nodes"))) {
            Doctor doctor = new Doctor(account.kubeconfig());
            cluster.node("gpu-1", Map.of(GPU, "1"));
            created(cluster, Pods.asking("holds", GPU));
            cluster.awaitPhase("Running", 1);
            created(cluster, Pods.asking("waits", GPU));

            doctor.awaitVerdict(cluster, "waits", "AllUsed");
            assertThat(doctor.report().path("unchecked").findValuesAsText("kind"))
                    .containsExactly(
                            "events",
                            "resourcequotas",
                            "replicasets",
                            "jobs",
                            "statefulsets",
                            "daemonsets",
                            "priorityclasses",
                            "deviceclasses",
                            "resourceclaims",
                            "resourceslices",
                            "leases");
            assertThat(doctor.report().path("unchecked").findValuesAsText("consequence"))
                    .allSatisfy(why -> assertThat(why).startsWith("This account may not list them: "));
        }
    }

    /** Nothing changes in between, so both see the same cluster but for leases and heartbeats. */
    @Test
    void whatWasCollectedIsDiagnosedAlike(Cluster cluster, @TempDir Path directory) throws Exception {
        cluster.node("gpu-1", Map.of(GPU, "1"));
        created(cluster, Pods.asking("holds", GPU));
        cluster.awaitPhase("Running", 1);
        created(cluster, Pods.asking("waits", GPU));
        var _ = cluster.unschedulable("waits");
        Path file = directory.resolve("cluster.json.gz");

        var live = Doctor.of(cluster).report("--collect", file.toString());

        Command.Ended again = Command.in(
                        Path.of("."),
                        Path.of("target", "sluice", "bin", "sluice")
                                .toAbsolutePath()
                                .toString(),
                        "doctor",
                        "--cluster-snapshot",
                        file.toString(),
                        "-o",
                        "json")
                .run();
        assertThat(Optional.of(again.output())).contains(live.toPrettyString() + "\n");
        assertThat(Files.size(file)).isPositive();
    }
}
