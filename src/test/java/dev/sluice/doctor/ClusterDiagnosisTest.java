package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.ClusterDiagnosis.NodeReport;
import dev.sluice.doctor.NodeFindings.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterDiagnosisTest {

    private static NodeReport node(String name, String... explanations) {
        return new NodeReport(
                name,
                List.of(explanations).stream()
                        .map(each -> new Finding(FindingCode.PLUGIN_STOPPED, each))
                        .toList());
    }

    private static List<String> faults(NodeReport... nodes) {
        return new ClusterDiagnosis(List.of(), List.of(nodes), ResourceFaults.NONE, List.of(), /* podsKnown= */ true)
                .nodeFaults().stream().map(Finding::explanation).toList();
    }

    @Test
    void nodesWithTheSameFaultAreToldTogether() {
        assertThat(faults(
                        node("gpu-1", "The plugin of node gpu-1 has stopped: pod gpu/plugin-x7k2p is Failed."),
                        node("gpu-10", "The plugin of node gpu-10 has stopped: pod gpu/plugin-bb4cd is Failed."),
                        node("gpu-2", "The plugin of node gpu-2 has stopped: pod gpu/plugin-9zzq8 is Pending."),
                        node("gpu-3", "The plugin of node gpu-3 has stopped: pod gpu/plugin-9wwq8 is Failed.")))
                .containsExactly(
                        "The plugin of node gpu-1 has stopped: pod gpu/plugin-x7k2p is Failed."
                                + " The same holds for nodes gpu-10, gpu-3.",
                        "The plugin of node gpu-2 has stopped: pod gpu/plugin-9zzq8 is Pending.");
    }

    @Test
    void staticPodsAreNamedAfterTheirNodes() {
        assertThat(faults(
                        node("10.0.0.1", "On 10.0.0.1, pod gpu/plugin-10.0.0.1 is not ready."),
                        node("10.0.0.11", "On 10.0.0.11, pod gpu/plugin-10.0.0.11 is not ready.")))
                .containsExactly(
                        "On 10.0.0.1, pod gpu/plugin-10.0.0.1 is not ready. The same holds for node 10.0.0.11.");
    }

    @Test
    void otherNumbersAndOtherNodesAreOtherFaults() {
        assertThat(faults(
                        node("a", "Node a offers 3 of 8.", "Node b refuses it."),
                        node("b", "Node b offers 4 of 8."),
                        node("c", "Node b refuses it.")))
                .containsExactly(
                        "Node a offers 3 of 8.",
                        "Node b refuses it. The same holds for node c.",
                        "Node b offers 4 of 8.");
    }
}
