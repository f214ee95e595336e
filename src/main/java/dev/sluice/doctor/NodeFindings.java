package dev.sluice.doctor;

import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.ClusterFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Finds the faults and other findings that a report shows for a single node. */
public final class NodeFindings {

    private static final String RDMA = "rdma/";

    /**
     * Holds one finding on a node.
     *
     * @param explanation a sentence that contains the evidence
     */
    public record Finding(FindingCode code, String explanation) {}

    private final ClusterFacts cluster;
    private final boolean rdmaMatters;

    public NodeFindings(ClusterFacts cluster, List<DiagnosedNode> nodes) {
        this.cluster = cluster;
        rdmaMatters = nodes.stream().anyMatch(node -> offersRdma(node))
                || cluster.pods().stream()
                        .filter(pod -> !pod.hasEnded())
                        .anyMatch(pod -> !rdmaOf(pod.ask().requests()).isZero());
    }

    /** Returns the findings in the order of their codes. */
    public List<Finding> of(DiagnosedNode node) {
        List<Finding> findings = new ArrayList<>();
        NodeFaults.first(node)
                .ifPresent(code -> findings.add(new Finding(code, DiagnosedNodeFaultText.of(code, node, cluster))));
        OTHERS.forEach(
                (code, rule) -> rule.apply(node).ifPresent(evidence -> findings.add(new Finding(code, evidence))));
        rdma(node).ifPresent(findings::add);
        findings.sort(Comparator.comparing(Finding::code));
        return findings;
    }

    private static final Map<FindingCode, Function<DiagnosedNode, Optional<String>>> OTHERS =
            new TreeMap<>(Map.ofEntries(
                    Map.entry(FindingCode.CORDONED, NodeFindings::cordoned),
                    Map.entry(FindingCode.NOT_READY, NodeFindings::notReady),
                    Map.entry(FindingCode.DEVICES_TAINTED, ClaimedDeviceFindings::tainted),
                    Map.entry(FindingCode.OFFERED_TWICE, ClaimedDeviceFindings::twice),
                    Map.entry(FindingCode.STRATEGY_SINGLE, NodeFindings::single),
                    Map.entry(FindingCode.TIME_SLICING_ON, NodeFindings::timeSlicing),
                    Map.entry(FindingCode.MPS_ON, NodeFindings::mps),
                    Map.entry(FindingCode.DRIVER_VERSION_MISSING, NodeFindings::noDriver),
                    Map.entry(FindingCode.AMD_PLUGIN, NodeFindings::amd),
                    Map.entry(FindingCode.VM_WORKLOAD_MODE, NodeFindings::machines),
                    Map.entry(FindingCode.DRA_MANAGED, NodeFindings::dra)));

    private static Optional<String> when(boolean found, String evidence) {
        return found ? Optional.of(evidence) : Optional.empty();
    }

    private static Optional<String> cordoned(DiagnosedNode node) {
        return when(
                node.facts().node().unschedulable(),
                "Node " + node.name() + " is cordoned (spec.unschedulable): no new pod is placed there."
                        + node.upgrade()
                                .map(label -> (node.hasUpgradeFailed()
                                                ? " The upgrade of its driver has failed: "
                                                : " The driver is being upgraded: ")
                                        + label + ".")
                                .orElse(""));
    }

    private static Optional<String> notReady(DiagnosedNode node) {
        return when(
                node.facts().ready().isNotTrue(),
                "Node " + node.name() + " is not ready: the condition Ready is "
                        + node.facts().ready().status()
                        + (node.facts().ready().reason().isEmpty()
                                ? ""
                                : " with the reason " + node.facts().ready().why())
                        + ".");
    }

    private static Optional<String> single(DiagnosedNode node) {
        return when(
                node.label(NodeFaults.STRATEGY).equals("single")
                        && node.product().isSlice(),
                "On node " + node.name() + " nvidia.com/gpu is a MIG slice: " + NodeFaults.STRATEGY + "=single, "
                        + DiagnosedGpuProduct.LABEL + "=" + node.product().name() + ".");
    }

    private static Map<String, String> strategies(DiagnosedNode node) {
        Map<String, String> found = new TreeMap<>();
        node.facts().node().labels().forEach((key, value) -> {
            if (key.endsWith(DiagnosedGpuSharing.STRATEGY)
                    && (key.startsWith("nvidia.com/gpu.") || key.startsWith("nvidia.com/mig-"))) {
                found.put(key, value);
            }
        });
        return found;
    }

    private static Optional<String> timeSlicing(DiagnosedNode node) {
        Map<String, String> strategies = strategies(node);
        boolean suffix = strategies.isEmpty() && node.product().name().endsWith("-SHARED");
        return suffix
                ? Optional.of("Node " + node.name() + " shares its GPUs: " + DiagnosedGpuProduct.LABEL + "="
                        + node.product().name() + replicas(node, "nvidia.com/gpu") + ".")
                : sharing(node, "time-slicing");
    }

    private static Optional<String> mps(DiagnosedNode node) {
        return sharing(node, "mps");
    }

    private static Optional<String> sharing(DiagnosedNode node, String strategy) {
        return strategies(node).entrySet().stream()
                .filter(label -> label.getValue().equals(strategy))
                .map(label -> label.getKey() + "=" + strategy
                        + replicas(
                                node,
                                label.getKey()
                                        .substring(0, label.getKey().length() - DiagnosedGpuSharing.STRATEGY.length())))
                .reduce((one, other) -> one + ", " + other)
                .map(labels -> "Node " + node.name() + " shares its GPUs by " + strategy + ": " + labels + ".");
    }

    private static String replicas(DiagnosedNode node, String resource) {
        String replicas = node.label(resource + ".replicas");
        return replicas.isEmpty() ? "" : " with " + resource + ".replicas=" + replicas;
    }

    private static Optional<String> noDriver(DiagnosedNode node) {
        return when(
                !node.product().name().isEmpty()
                        && node.label("nvidia.com/cuda.driver-version.full").isEmpty()
                        && node.label("nvidia.com/cuda.driver.major").isEmpty(),
                "Node " + node.name() + " has " + DiagnosedGpuProduct.LABEL + "="
                        + node.product().name()
                        + ", but neither nvidia.com/cuda.driver-version.full nor nvidia.com/cuda.driver.major: feature discovery"
                        + " could not read the driver's version.");
    }

    private static Optional<String> amd(DiagnosedNode node) {
        Amounts own = node.capacityOf(GpuVendor.AMD);
        return when(
                !own.isEmpty() && !node.managedByDra(),
                "Node " + node.name() + " is served by AMD's device plugin: capacity " + own + ".");
    }

    private static Optional<String> machines(DiagnosedNode node) {
        return when(
                GpuLabels.isForMachines(node.facts().node().labels()),
                "Node " + node.name() + " keeps its GPUs for virtual machines: " + GpuLabels.WORKLOAD + "="
                        + node.label(GpuLabels.WORKLOAD) + MachineGpuRule.configuration(node) + "."
                        + (MachineGpuRule.hasFailed(node) ? " The vGPU configuration was not applied." : ""));
    }

    private static Optional<String> dra(DiagnosedNode node) {
        return when(
                node.managedByDra(),
                "The GPUs of node " + node.name() + " are handed out by dynamic resource allocation, not by a device"
                        + " plugin"
                        + (node.facts().node().byClaims().offered().isEmpty()
                                ? ": its capacity has no GPU resource, and a ResourceSlice names it or the kubelet plugin"
                                        + " of a DRA driver is ready there."
                                : ": " + node.facts().node().byClaims().offered() + "."));
    }

    private Optional<Finding> rdma(DiagnosedNode node) {
        Amounts offered = rdmaOf(node.facts().node().allocatable());
        if (!offered.isZero()) {
            return Optional.of(new Finding(
                    FindingCode.RDMA_PRESENT, "Node " + node.name() + " offers RDMA devices: " + offered + "."));
        }
        return node.hardware().isEmpty() || !rdmaMatters
                ? Optional.empty()
                : Optional.of(new Finding(
                        FindingCode.RDMA_ABSENT,
                        "Node " + node.name() + " has GPUs but no rdma/* resource, which other nodes offer or pods ask"
                                + " for."));
    }

    private static boolean offersRdma(DiagnosedNode node) {
        return !rdmaOf(node.facts().node().allocatable()).isZero();
    }

    private static Amounts rdmaOf(Amounts amounts) {
        return amounts.only((ResourceName name, long amount) -> name.value().startsWith(RDMA) && amount > 0);
    }
}
