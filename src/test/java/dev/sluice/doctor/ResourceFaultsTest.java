package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.kube.facts.FactsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    private Optional<String> about(String resource, String items) throws Exception {
        Path file =
                Files.writeString(directory.resolve("list.json"), "{\"kind\": \"List\", \"items\": [" + items + "]}");
        return Diagnosis.of(FactsFiles.read(List.of(file))).faults().about(new ResourceName(resource));
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
