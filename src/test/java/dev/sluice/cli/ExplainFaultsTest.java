package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What explanations say of the faults that may be why a pod does not get what it asks for. */
class ExplainFaultsTest {

    private static final String LIST = """
            apiVersion: v1
            kind: List
            items:
            """;

    private static final String NODE = """
            - apiVersion: v1
              kind: Node
              metadata: {name: n3, labels: {nvidia.com/gpu.present: "true"}}
              status:
                capacity: {cpu: "64", memory: 128Gi, pods: "110", nvidia.com/gpu: "8"}
                allocatable: {cpu: "64", memory: 128Gi, pods: "110", nvidia.com/gpu: "%d"}
                conditions: [{type: Ready, status: "True"}]
            """;

    private static final String PLUGIN = """
            - apiVersion: v1
              kind: Pod
              metadata:
                name: nvidia-device-plugin-x7k2p
                namespace: gpu-operator
                ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: nvidia-device-plugin, uid: u, controller: true}]
              spec: {nodeName: n3, containers: [{name: c}]}
              status: {phase: Running, conditions: [{type: Ready, status: "False"}]}
            """;

    private static final String BARE_NODE =
            "- {apiVersion: v1, kind: Node, metadata: {name: n3}, status: {allocatable: {cpu: 8},"
                    + " conditions: [{type: Ready, status: \"True\"}]}}\n";

    @TempDir
    private Path directory;

    private String explain(String cluster, String output, String resource) throws IOException {
        Path pod = Files.writeString(directory.resolve("pod.yaml"), """
                apiVersion: v1
                kind: Pod
                metadata: {name: x}
                spec: {containers: [{name: c, resources: {limits: {%s: 1}}}]}
                """.formatted(resource));
        Path snapshot = Files.writeString(directory.resolve("cluster.yaml"), cluster);
        Cli explained = Cli.run("explain", "-f", pod, "--cluster-snapshot", snapshot, "-o", output);
        assertThat(explained.err()).isEmpty();
        return explained.out();
    }

    private JsonNode json(String cluster) throws IOException {
        return new ObjectMapper()
                .readTree(explain(cluster, "json", "nvidia.com/gpu"))
                .at("/pods/0");
    }

    @Test
    void namesTheStoppedPluginOfAKeptPod() throws IOException {
        JsonNode pod = json(LIST + NODE.formatted(0) + PLUGIN);

        assertThat(pod.path("decision").asText()).isEqualTo("kept");
        assertThat(pod.path("knownFaults")).hasSize(1);
        assertThat(pod.at("/knownFaults/0/resource").asText()).isEqualTo("nvidia.com/gpu");
        assertThat(pod.at("/knownFaults/0/text").asText()).contains("node n3", "nvidia-device-plugin-x7k2p", "stopped");
        // The gateway says it only where it diagnoses.
        assertThat(pod.path("warnings").toString()).doesNotContain("n3");
    }

    @Test
    void tellsItToPeople() throws IOException {
        assertThat(explain(LIST + NODE.formatted(0) + PLUGIN, "text", "nvidia.com/gpu"))
                .containsPattern("what is known of nvidia.com/gpu\\R +The device plugin of node n3");
    }

    /** A plugin that runs and has registered nothing speaks of a GPU, so that nobody has to install one. */
    @Test
    void keepsThePodWhereADevicePluginRuns() throws IOException {
        JsonNode pod = json(LIST + BARE_NODE + PLUGIN.replace("\"False\"", "\"True\""));

        assertThat(pod.path("decision").asText()).isEqualTo("kept");
        assertThat(pod.path("warnings").toString())
                .contains("pod gpu-operator/nvidia-device-plugin-x7k2p is a device plugin for GPUs");
        assertThat(pod.at("/knownFaults/0/text").asText()).contains("a device plugin runs that has registered none");
        assertThat(json(LIST + BARE_NODE).path("message").asText())
                .endsWith("; if a node has GPUs, look whether a device plugin runs there, and what its log says");
    }

    /** The name of the DaemonSet says nothing; its image does. */
    @Test
    void keepsThePodWhereTheDaemonSetOfADevicePluginExists() throws IOException {
        String set = """
                - apiVersion: apps/v1
                  kind: DaemonSet
                  metadata: {name: accelerators, namespace: kube-system}
                  spec: {template: {spec: {containers: [{name: c, image: "%s"}]}}}
                  status: {desiredNumberScheduled: 0}
                """;

        JsonNode pod = json(LIST + BARE_NODE + set.formatted("registry.example:5000/intel/intel-gpu-plugin:0.32.0"));

        assertThat(pod.path("decision").asText()).isEqualTo("kept");
        assertThat(pod.path("warnings").toString())
                .contains("DaemonSet kube-system/accelerators is a device plugin for GPUs");
        assertThat(json(LIST + BARE_NODE + set.formatted("registry.example/intel-fpga-plugin:1"))
                        .path("decision")
                        .asText())
                .isEqualTo("denied");
    }

    /** The next step stands at the end of the text, which would not fit into a warning. */
    @Test
    void tellsTheWholeLead() throws IOException {
        assertThat(json(LIST + BARE_NODE + PLUGIN.replace("\"False\"", "\"True\""))
                        .at("/knownFaults/0/text")
                        .asText())
                .contains("kubectl -n ", "logs nvidia-device-plugin-x7k2p")
                .doesNotContain("...");
    }

    @Test
    void cutsWhatOthersWroteIntoALabel() throws IOException {
        String node =
                "- {apiVersion: v1, kind: Node, metadata: {name: n3}, spec: {taints: [{key: k, effect: NoSchedule,"
                        + " value: " + "y".repeat(60_000)
                        + "}]}, status: {allocatable: {cpu: 8, nvidia.com/gpu: 123456}}}\n";

        assertThat(explain(LIST + node, "text", "nvidia.com/gpu"))
                .containsPattern("not here  123,456 n3: taint\\s+k=y+\\.\\.\\.")
                .hasSizeLessThan(2000);
    }

    @Test
    void tellsNothingOfAPodThatGetsWhatItAsksFor() throws IOException {
        assertThat(json(LIST + NODE.formatted(1) + PLUGIN).has("knownFaults")).isFalse();
    }

    /** Without any plugin pod nobody knows whether one has stopped; a node of which nothing is known is no fault. */
    @Test
    void saysNoMoreThanTheNodesShow() throws IOException {
        assertThat(json(LIST + NODE.formatted(0)).at("/knownFaults/0/text").asText())
                .contains("n3")
                .doesNotContain("stopped");
        assertThat(json(LIST + "- {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 8}}}")
                        .has("knownFaults"))
                .isFalse();
    }

    /** A snapshot may be a single object, which the doctor does not read. */
    @Test
    void tellsNothingWhereTheFactsCannotBeRead() throws IOException {
        assertThat(json("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {capacity: {nvidia.com/gpu: 1},"
                                + " allocatable: {nvidia.com/gpu: 0}}")
                        .has("knownFaults"))
                .isFalse();
    }

    @Test
    void aGpuInTheResourcesOfThePodIsSaidToBeRefused() throws IOException {
        Path pod = Files.writeString(directory.resolve("pod.yaml"), """
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: media, namespace: media}
                spec:
                  template:
                    spec:
                      resources: {limits: {cpu: "2", gpu.intel.com/i915: "1"}}
                      containers: [{name: media, image: m}]
                """);
        Path snapshot = Files.writeString(directory.resolve("cluster.yaml"), LIST + NODE.formatted(8));

        String text = Cli.run("explain", "-f", pod, "--cluster-snapshot", snapshot)
                .out()
                .replaceAll("\\s+", " ");
        String json = Cli.run("explain", "-f", pod, "--cluster-snapshot", snapshot, "-o", "json")
                .out();

        assertThat(text)
                .contains("the API server will refuse it")
                .contains("gpu.intel.com/i915 in its own spec.resources")
                .contains("write it into the limits of a container")
                .doesNotContain("asks for no GPU");
        assertThat(json).contains("\"invalid\"", "gpu.intel.com/i915 in its own spec.resources");
    }
}
