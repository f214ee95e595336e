package dev.sluice.doctor;

import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.FirstFiveNames;
import dev.sluice.text.ShortText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Explains why nodes that reserve their GPUs for virtual machines have registered no GPUs: a vGPU configuration was not
 * applied, or the pods that register the GPUs are missing.
 */
final class MachineGpuRule {

    private static final String WANTED = "nvidia.com/vgpu.config";
    private static final String STATE = "nvidia.com/vgpu.config.state";
    private static final int LONGEST_LABEL = 100;

    private MachineGpuRule() {}

    /**
     * Returns the cause why no node has registered a resource for virtual machines; empty if no node reserves its GPUs
     * for virtual machines.
     *
     * @param asked the requested resource
     */
    static Optional<DiagnosisCause> cause(
            ResourceName asked, long amount, GpuVendor vendor, List<DiagnosedNode> nodes, ClusterFacts cluster) {
        List<DiagnosedNode> machines = nodes.stream()
                .filter(node -> GpuLabels.isForMachines(node.facts().node().labels()))
                .toList();
        if (machines.isEmpty()) {
            return Optional.empty();
        }
        Map<String, List<PodFacts>> byNode = cluster.pods().stream()
                .filter(pod -> !pod.hasEnded() && isOfMachines(pod.name()))
                .collect(Collectors.groupingBy(PodFacts::nodeName));
        List<String> told = new ArrayList<>();
        List<Evidence> evidence = new ArrayList<>();
        for (DiagnosedNode node : machines) {
            List<PodFacts> pods = podsOf(node, byNode.getOrDefault(node.name(), List.of()));
            told.add("node " + node.name() + " (" + GpuLabels.WORKLOAD + "=" + shown(node, GpuLabels.WORKLOAD)
                    + configuration(node) + ")"
                    + (pods.isEmpty() ? "" : ", where " + String.join(", ", states(pods))));
            if (told.size() <= FirstFiveNames.MOST) {
                evidence.add(new Evidence(
                        "Node",
                        node.name(),
                        GpuLabels.WORKLOAD + "=" + shown(node, GpuLabels.WORKLOAD) + configuration(node)));
                pods.forEach(pod ->
                        evidence.add(new Evidence("Pod", pod.fullName(), DiagnosedNodeFaultText.state(pod, ""))));
            }
        }
        List<String> idle = new ArrayList<>();
        for (OwnerFacts set : idleSets(vendor, cluster)) {
            String why = DiagnosedNodeFaultText.idle(set, nodes, cluster) + differing(set, machines);
            idle.add(why);
            evidence.add(new Evidence("DaemonSet", DiagnosedNodeFaultText.fullName(set), why));
        }
        boolean failed = machines.stream().anyMatch(MachineGpuRule::hasFailed);
        return Optional.of(new DiagnosisCause(
                DiagnosisCode.PLUGIN_NOT_REGISTERED,
                asked + ": " + amount
                        + " requested, but no node has registered any. GPUs are kept for virtual machines on "
                        + FirstFiveNames.of(told) + "."
                        + (idle.isEmpty() ? "" : " " + FirstFiveNames.of(idle) + ".")
                        + (failed
                                ? " The log of the vGPU device manager says why the configuration was not applied. It tries"
                                        + " again when " + WANTED
                                        + " changes, so set that label to another value and back."
                                : ""),
                evidence));
    }

    /** Returns the DaemonSets that have no pod and that create or register GPUs for virtual machines. */
    private static List<OwnerFacts> idleSets(GpuVendor vendor, ClusterFacts cluster) {
        return Stream.concat(
                        DiagnosedNodeFaultText.idleSets(vendor, cluster).stream(),
                        cluster.owners().stream()
                                .filter(set -> set.kind().equals("DaemonSet")
                                        && set.wanted() == 0
                                        && set.reported() == 0
                                        && isOfMachines(set.name())))
                .distinct()
                .toList();
    }

    /** Returns a clause about the nodes on which a label has another value than in the DaemonSet's node selector. */
    private static String differing(OwnerFacts set, List<DiagnosedNode> nodes) {
        List<String> told = new ArrayList<>();
        set.template()
                .constraints()
                .nodeSelector()
                .forEach((key, wanted) -> nodes.stream()
                        .filter(node ->
                                !node.label(key).isEmpty() && !node.label(key).equals(wanted))
                        .forEach(node -> told.add("node " + node.name() + " has " + key + "=" + shown(node, key))));
        return told.isEmpty() ? "" : "; " + FirstFiveNames.of(told);
    }

    static boolean hasFailed(DiagnosedNode node) {
        return node.label(STATE).equals("failed");
    }

    /** Returns the labels of a node's vGPU configuration, as a clause; empty if no vGPU configuration is requested. */
    static String configuration(DiagnosedNode node) {
        return node.label(WANTED).isEmpty()
                ? ""
                : ", " + WANTED + "=" + shown(node, WANTED)
                        + (node.label(STATE).isEmpty() ? "" : ", " + STATE + "=" + shown(node, STATE));
    }

    /** Returns the pods that create and register the GPUs for virtual machines. Pods that are not ready come first. */
    private static List<PodFacts> podsOf(DiagnosedNode node, List<PodFacts> onNode) {
        return onNode.stream()
                .filter(pod -> !hasFailed(node) || pod.name().contains("vgpu-device-manager"))
                .sorted((one, other) -> Boolean.compare(one.isRunningAndReady(), other.isRunningAndReady()))
                .limit(FirstFiveNames.MOST)
                .toList();
    }

    private static boolean isOfMachines(String name) {
        return name.contains("vgpu-device-manager")
                || name.contains("vgpu-manager")
                || name.contains("vfio-manager")
                || name.contains("sandbox-device-plugin");
    }

    private static String shown(DiagnosedNode node, String key) {
        return ShortText.of(node.label(key), LONGEST_LABEL);
    }

    private static List<String> states(List<PodFacts> pods) {
        return pods.stream()
                .map(pod -> DiagnosedNodeFaultText.state(pod, "pod "))
                .toList();
    }
}
