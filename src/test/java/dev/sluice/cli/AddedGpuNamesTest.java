package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.ResourceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key {@code gpus} makes a resource of another plugin a GPU for the doctor and for explain. */
class AddedGpuNamesTest {

    private static final String CLUSTER = """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: v1
              kind: Node
              metadata: { name: n1, labels: { kubernetes.io/hostname: n1 } }
              status:
                capacity: { cpu: "8", memory: 8Gi, pods: "110", volcano.sh/vgpu-number: "4" }
                allocatable: { cpu: "8", memory: 8Gi, pods: "110", volcano.sh/vgpu-number: "0" }
                conditions: [{ type: Ready, status: "True" }]
            - apiVersion: v1
              kind: Pod
              metadata:
                namespace: gpu-pool
                name: share-x
                ownerReferences: [{ apiVersion: apps/v1, kind: DaemonSet, name: share, uid: u, controller: true }]
              spec: { nodeName: n1, containers: [{ name: c, image: "registry.example/vgpu/share-plugin:v1" }] }
              status: { phase: Pending, conditions: [{ type: Ready, status: "False" }] }
            - apiVersion: v1
              kind: Pod
              metadata: { namespace: ml, name: train }
              spec:
                containers: [{ name: c, image: i, resources: { limits: { volcano.sh/vgpu-number: "1" } } }]
              status: { phase: Pending }
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: { name: train }
            spec:
              containers: [{ name: c, image: i, resources: { limits: { volcano.sh/vgpu-number: "1" } } }]
            """;

    @TempDir
    private Path files;

    private Path cluster = Path.of("");
    private Path pod = Path.of("");
    private Path config = Path.of("");

    @BeforeEach
    void write() throws IOException {
        cluster = Files.writeString(files.resolve("cluster.yaml"), CLUSTER);
        pod = Files.writeString(files.resolve("pod.yaml"), POD);
        config = Files.writeString(
                files.resolve("gateway.yaml"),
                "gpus: { nvidia: { resources: [volcano.sh/vgpu-*], images: [share-plugin] } }");
    }

    @AfterEach
    void forget() {
        GpuVendor.addNames(Map.of());
    }

    @Test
    void theDoctorJudgesPodsThatAskForAnAddedName() {
        assertThat(Cli.run("doctor", "--cluster-snapshot", cluster).out().replaceAll("\\s+", " "))
                .contains("see whether its pods run")
                .doesNotContain("PluginStopped");

        assertThat(Cli.run("doctor", "--cluster-snapshot", cluster, "--config", config)
                        .out()
                        .replaceAll("\\s+", " "))
                .contains("PluginStopped", "volcano.sh/vgpu-number has capacity 4 and allocatable 0")
                .contains("plugin pod gpu-pool/share-x is Pending, not ready");
    }

    @Test
    void explainCountsAnAddedNameAsAGpu() {
        assertThat(Cli.run("explain", "-f", pod, "--cluster-snapshot", cluster).out())
                .contains("no GPU");

        Cli shown = Cli.run("explain", "-f", pod, "--cluster-snapshot", cluster, "--config", config);
        assertThat(shown.out()).contains("volcano.sh/vgpu-number").doesNotContain("no GPU is requested");
    }

    @Test
    void aNameThatIsKnownKeepsItsVendor() {
        assertThat(Cli.run("doctor", "--cluster-snapshot", cluster, "--config", config)
                        .code())
                .isZero();

        assertThat(GpuVendor.of(new ResourceName("volcano.sh/vgpu-memory"))).contains(GpuVendor.NVIDIA);
        assertThat(GpuVendor.of(new ResourceName("amd.com/gpu"))).contains(GpuVendor.AMD);
        assertThat(GpuVendor.isGpu(new ResourceName("volcano.sh/other"))).isFalse();
    }
}
