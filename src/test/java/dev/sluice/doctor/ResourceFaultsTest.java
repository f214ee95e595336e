package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.kube.facts.FactsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceFaultsTest {

    private static final String GPU = "nvidia.com/gpu";
    private static final String SLICE = "nvidia.com/mig-3g.40gb";
    private static final String AMD = "amd.com/gpu";
    private static final String NVIDIA_NODE = "\"nvidia.com/gpu.present\": \"true\", \"nvidia.com/gpu.count\": \"2\"";
    private static final String AMD_NODE = "\"feature.node.kubernetes.io/amd-gpu\": \"true\"";

    @TempDir
    private Path directory;

    @Test
    void aNodeWithoutAFaultSaysNothing() throws Exception {
        assertThat(about(GPU, node("gpu-1", NVIDIA_NODE, offering(GPU, 2, 2)))).isEmpty();
    }

    @Test
    void unhealthyDevicesAreOfTheirResourceOnly() throws Exception {
        String node = node("gpu-1", NVIDIA_NODE, offering(GPU, 2, 1));

        assertThat(about(GPU, node))
                .hasValueSatisfying(known -> assertThat(known).contains("gpu-1").doesNotEndWith("."));
        assertThat(about(SLICE, node)).isEmpty();
        assertThat(about(AMD, node)).isEmpty();
    }

    @Test
    void aStoppedPluginIsOfWhatItHadRegistered() throws Exception {
        String node = node("gpu-1", NVIDIA_NODE, offering(GPU, 0, 0));

        assertThat(about(GPU, node))
                .hasValueSatisfying(known -> assertThat(known).contains("gpu-1"));
        assertThat(about(SLICE, node)).isEmpty();
    }

    @Test
    void aSharedGpuThatWasRenamedIsNamed() throws Exception {
        String node = node("gpu-1", NVIDIA_NODE, offering(GPU, 0, 0) + ", " + offering(GPU + ".shared", 8, 8));

        assertThat(about(GPU, node))
                .hasValueSatisfying(
                        known -> assertThat(known).contains("offers nvidia.com/gpu.shared: 8 in its place"));
    }

    @Test
    void partitionsThatTookThePlaceOfGpusAreNamed() throws Exception {
        String node = node("gpu-1", AMD_NODE, offering(AMD, 0, 0) + ", " + offering("amd.com/cpx_nps4", 64, 64));

        assertThat(about(AMD, node))
                .hasValueSatisfying(known -> assertThat(known).contains("offers amd.com/cpx_nps4: 64 in its place"));
        assertThat(about(GPU, node)).isEmpty();
    }

    @Test
    void aProfileThatNoModelCanHaveIsNamed() throws Exception {
        String product = NVIDIA_NODE + ", \"nvidia.com/gpu.product\": \"NVIDIA-A100-SXM4-80GB\"";
        String node = node("gpu-1", product, offering("nvidia.com/mig-1g.10gb", 7, 7));

        assertThat(about("nvidia.com/mig-3g.20gb", node))
                .hasValueSatisfying(known -> assertThat(known)
                        .contains("no GPU model of this cluster can have such a MIG profile", "NVIDIA-A100-SXM4-80GB"));
        assertThat(about("nvidia.com/mig-9g.999gb", node))
                .hasValueSatisfying(known -> assertThat(known).contains("no GPU model of this cluster"));
        assertThat(about(SLICE, node)).isEmpty();
        assertThat(about("nvidia.com/mig-9g.999gb", node("cpu-1", "\"a\": \"b\"", offering(AMD, 1, 1))))
                .hasValueSatisfying(known -> assertThat(known).contains("no GPU model that is known"));
        assertThat(about(SLICE, node("cpu-1", "\"a\": \"b\"", offering(AMD, 1, 1))))
                .isEmpty();
    }

    @Test
    void aNodeThatIsAllSlicesHasNoFaultBecauseItHasNoWholeGpu() throws Exception {
        String node = node("gpu-1", NVIDIA_NODE, offering(GPU, 0, 0) + ", " + offering(SLICE, 4, 4));

        assertThat(about(GPU, node)).isEmpty();
        assertThat(about(SLICE, node)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({GPU + ",true", SLICE + ",true", AMD + ",false"})
    void ofAPluginThatNeverRegisteredNobodyKnowsWhatItWillOfferOfItsVendor(String resource, boolean told)
            throws Exception {
        assertThat(about(resource, node("gpu-1", NVIDIA_NODE, "\"cpu\": [8, 8]"))
                        .isPresent())
                .isEqualTo(told);
    }

    @ParameterizedTest
    @CsvSource({GPU + ",false", SLICE + ",false", AMD + ",true"})
    void theSameOfAnotherVendorSaysNothingOfSlices(String resource, boolean told) throws Exception {
        assertThat(about(resource, node("amd-1", AMD_NODE, "\"cpu\": [8, 8]")).isPresent())
                .isEqualTo(told);
    }

    @ParameterizedTest
    @CsvSource({"failed, failed", "pending, is being changed", "rebooting, is being changed"})
    void aChangeOfSlicesHidesThem(String state, String told) throws Exception {
        String labels = NVIDIA_NODE
                + ", \"nvidia.com/mig.config\": \"all-balanced\", \"nvidia.com/mig.config.state\": \"" + state + "\"";

        assertThat(about(SLICE, node("gpu-1", labels, offering(GPU, 2, 2))))
                .hasValueSatisfying(known -> assertThat(known).contains("gpu-1").contains(told));
    }

    @Test
    void theFirstNodeIsNamedAndTheOthersAreCounted() throws Exception {
        String list = node("gpu-2", NVIDIA_NODE, offering(GPU, 2, 1)) + ", "
                + node("gpu-1", NVIDIA_NODE, offering(GPU, 2, 1));
        assertThat(about(GPU, list))
                .hasValueSatisfying(
                        known -> assertThat(known).contains("gpu-1").endsWith("; another node has a fault, too"));

        list += ", " + node("gpu-3", NVIDIA_NODE, offering(GPU, 2, 1));
        assertThat(about(GPU, list))
                .hasValueSatisfying(known -> assertThat(known).endsWith("; 2 more nodes have a fault, too"));
    }

    @Test
    void aLongFaultIsShortened() throws Exception {
        String labels = NVIDIA_NODE + ", \"nvidia.com/mig.config\": \"" + "long-".repeat(12) + "x\""
                + ", \"nvidia.com/mig.config.state\": \"failed\"";

        assertThat(about(SLICE, node("a".repeat(100), labels, offering(GPU, 2, 2))))
                .hasValueSatisfying(known -> assertThat(known).hasSize(153).endsWith("..."));
    }

    @Test
    void aNodeWhoseModelHasNoSuchSliceIsNotNamed() throws Exception {
        String t4 = NVIDIA_NODE + ", \"nvidia.com/gpu.product\": \"Tesla-T4\"";

        assertThat(about(SLICE, node("gpu-1", t4, "\"cpu\": [8, 8]")))
                .hasValueSatisfying(known -> assertThat(known)
                        .startsWith("no GPU model of this cluster")
                        .doesNotContain("gpu-1"));
        assertThat(about(GPU, node("gpu-1", t4, "\"cpu\": [8, 8]"))).isPresent();
    }

    @Test
    void aNodeThatIsChangedIntoOtherSlicesIsNotNamed() throws Exception {
        String h100 = "\"nvidia.com/gpu.present\": \"true\", \"nvidia.com/gpu.count\": \"8\","
                + " \"nvidia.com/gpu.product\": \"NVIDIA-H100-80GB-HBM3\","
                + " \"nvidia.com/mig.config.state\": \"pending\", \"nvidia.com/mig.config\": ";

        assertThat(about(SLICE, node("gpu-1", h100 + "\"all-1g.10gb\"", "\"cpu\": [8, 8]")))
                .isEmpty();
        assertThat(about(SLICE, node("gpu-1", h100 + "\"all-3g.40gb\"", "\"cpu\": [8, 8]")))
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource({"2, '', true", "3, '', false", "2, gpu-1, true", "2, other, false"})
    void onlyANodeThatCouldHaveGivenWhatThePodAsksForIsNamed(int amount, String host, boolean told) throws Exception {
        String labels = NVIDIA_NODE + ", \"kubernetes.io/hostname\": \"gpu-1\"";
        ResourceFaults faults = faults(node("gpu-1", labels, offering(GPU, 2, 0)));
        NodeConstraints constraints = new NodeConstraints(
                null, host.isEmpty() ? Map.of() : Map.of("kubernetes.io/hostname", host), null, List.of());

        assertThat(faults.about(new ResourceName(GPU), amount, constraints).isPresent())
                .isEqualTo(told);
    }

    @ParameterizedTest
    @CsvSource({
        "gpu.deploy.gpu-feature-discovery, nvidia.com/gpu.product, NVIDIA-L4, true",
        "gpu.deploy.gpu-feature-discovery, nvidia.com/gpu.model, L4, false",
        "gpu.deploy.gpu-feature-discovery, nvidia.com/gpu.count, 3, false",
        "gpu.workload.config, nvidia.com/gpu.product, NVIDIA-L4, false",
    })
    void aLabelThatComesBackWithTheRepairKeepsNoPodOff(String ofNode, String key, String value, boolean told)
            throws Exception {
        String labels = NVIDIA_NODE + ", \"nvidia.com/" + ofNode + "\": \"true\"";
        ResourceFaults faults = faults(node("gpu-1", labels, "\"cpu\": [8, 8]"));
        NodeConstraints constraints = new NodeConstraints(null, Map.of(key, value), null, List.of());

        assertThat(faults.about(new ResourceName(GPU), 1, constraints).isPresent())
                .isEqualTo(told);
    }

    @Test
    void aPluginThatWantsNoNodeIsNamedWhereNoNodeShowsHardware() throws Exception {
        String set = """
            {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"namespace": "gpu", "name": "nvidia-device-plugin"},
              "spec": {"template": {"spec": {"nodeSelector": {"gpu": "on"}, "containers": []}}},
              "status": {"desiredNumberScheduled": 0, "currentNumberScheduled": 0}}
            """;

        assertThat(about(GPU, set + ", " + node("n1", "", "\"cpu\": [8, 8]")))
                .hasValue(
                        "DaemonSet gpu/nvidia-device-plugin wants no node, because none has the labels that it asks for"
                                + " (gpu=on)");
        assertThat(about(GPU, set + ", " + node("n1", NVIDIA_NODE, offering(GPU, 2, 2))))
                .isEmpty();
        assertThat(about(AMD, set + ", " + node("n1", "", "\"cpu\": [8, 8]"))).isEmpty();
    }

    private Optional<String> about(String resource, String items) throws Exception {
        return faults(items).about(new ResourceName(resource));
    }

    private ResourceFaults faults(String items) throws Exception {
        Path file =
                Files.writeString(directory.resolve("list.json"), "{\"kind\": \"List\", \"items\": [" + items + "]}");
        return Diagnosis.of(FactsFiles.read(List.of(file))).faults();
    }

    private static String offering(String resource, int capacity, int allocatable) {
        return "\"%s\": [%d, %d]".formatted(resource, capacity, allocatable);
    }

    /** {@code amounts} has pairs of capacity and allocatable. */
    private static String node(String name, String labels, String amounts) {
        String capacity = amounts.replaceAll("\\[(\\d+), \\d+]", "\"$1\"");
        String allocatable = amounts.replaceAll("\\[\\d+, (\\d+)]", "\"$1\"");
        return """
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s", "labels": {%s}}, "status": {
              "capacity": {%s}, "allocatable": {%s}, "conditions": [{"type": "Ready", "status": "True"}]}}
            """.formatted(name, labels, capacity, allocatable);
    }
}
