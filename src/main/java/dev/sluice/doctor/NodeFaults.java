package dev.sluice.doctor;

import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds what keeps a node from offering its GPUs. Each rule is a method; the list of them is their order. */
final class NodeFaults {

    static final String STATE = "nvidia.com/mig.config.state";
    static final String WANTED = "nvidia.com/mig.config";
    static final String STRATEGY = "nvidia.com/mig.strategy";

    private static final String PAUSED = "paused-for-mig-change";

    private NodeFaults() {}

    private interface Rule {
        boolean holds(NodeStudy node);
    }

    private record Named(FindingCode code, Rule rule) {}

    private static final List<Named> RULES = List.of(
            new Named(FindingCode.MIG_CHANGE_FAILED, NodeFaults::migChangeFailed),
            new Named(FindingCode.MIG_CHANGE_RUNNING, NodeFaults::migChangeRuns),
            new Named(FindingCode.MIG_INVALID, node -> node.product().isInvalid()),
            new Named(FindingCode.MIG_WITHOUT_INSTANCES, NodeFaults::migWithoutInstances),
            new Named(FindingCode.PLUGIN_NOT_REGISTERED, node -> any(node, NodeFaults::isNotRegistered)),
            new Named(FindingCode.PLUGIN_STOPPED, node -> any(node, NodeFaults::isStopped)),
            new Named(FindingCode.UNHEALTHY_DEVICES, node -> !unhealthy(node).isEmpty()));

    private interface VendorRule {
        boolean holds(NodeStudy node, GpuVendor vendor);
    }

    private static boolean any(NodeStudy node, VendorRule rule) {
        for (GpuVendor vendor : GpuVendor.values()) {
            if (rule.holds(node, vendor)) {
                return true;
            }
        }
        return false;
    }

    /** The fault that a report names: the first in the order, because it hides what follows from it. */
    public static Optional<FindingCode> first(NodeStudy node) {
        return RULES.stream()
                .filter(named -> named.rule().holds(node))
                .map(Named::code)
                .findFirst();
    }

    /**
     * The faults whose repair could bring more of the resource, each by itself: the first in the order that is about
     * its vendor, and unhealthy devices of this very resource.
     */
    public static List<FindingCode> about(NodeStudy node, ResourceName resource, GpuVendor vendor) {
        List<FindingCode> faults = new ArrayList<>();
        for (Named named : RULES) {
            if (faults.isEmpty() && named.code() != FindingCode.UNHEALTHY_DEVICES && isAbout(named, node, vendor)) {
                faults.add(named.code());
            }
        }
        if (isUnhealthy(node, resource)) {
            faults.add(FindingCode.UNHEALTHY_DEVICES);
        }
        return faults;
    }

    private static boolean isAbout(Named named, NodeStudy node, GpuVendor vendor) {
        return switch (named.code()) {
            case PLUGIN_NOT_REGISTERED -> isNotRegistered(node, vendor);
            case PLUGIN_STOPPED -> isStopped(node, vendor);
            default -> vendor == GpuVendor.NVIDIA && named.rule().holds(node);
        };
    }

    /** The label is set by the MIG manager of the GPU operator. */
    private static boolean migChangeFailed(NodeStudy node) {
        return node.label(STATE).equals("failed");
    }

    private static boolean migChangeRuns(NodeStudy node) {
        return node.facts().node().labels().entrySet().stream()
                .anyMatch(label -> GpuLabels.isOfMigChange(label.getKey(), label.getValue()));
    }

    private static boolean isPaused(Map.Entry<String, String> label) {
        return label.getValue().equals(PAUSED) && GpuLabels.isOfMigChange(label.getKey(), label.getValue());
    }

    /** The labels by which the MIG manager stops the plugin and others during a change, sorted. */
    public static List<String> pausedLabels(NodeStudy node) {
        return node.facts().node().labels().entrySet().stream()
                .filter(NodeFaults::isPaused)
                .map(label -> label.getKey() + "=" + PAUSED)
                .sorted()
                .toList();
    }

    private static boolean migWithoutInstances(NodeStudy node) {
        String wanted = node.label(WANTED);
        return node.label("nvidia.com/mig.capable").equals("true")
                && node.label(STATE).equals("success")
                && !wanted.isEmpty()
                && !wanted.equals("all-disabled")
                && !node.label(STRATEGY).equals("single")
                && !offersSlices(node.facts().node().capacity())
                && !offersSlices(node.facts().node().allocatable())
                && node.allocatable(ResourceName.NVIDIA_GPU) < LabelNumber.of(node.label(GpuLabels.COUNT));
    }

    private static boolean offersSlices(Amounts amounts) {
        return amounts.anyMatch((name, amount) -> name.isMig() && amount > 0);
    }

    /** The kubelet keeps a resource in capacity for good once a plugin has registered it (devicemanager). */
    static boolean isNotRegistered(NodeStudy node, GpuVendor vendor) {
        return node.has(vendor)
                && node.facts().reported()
                && !node.managedByDra()
                && node.capacityOf(vendor).isEmpty();
    }

    /** The kubelet drops the number to 0 five minutes after the plugin's endpoint stopped, and when it restarts. */
    static boolean isStopped(NodeStudy node, GpuVendor vendor) {
        Amounts capacity = node.capacityOf(vendor);
        boolean nothing = node.has(vendor)
                && !capacity.isEmpty()
                && node.allocatableOf(vendor).isZero();
        return nothing
                && (capacity.isZero()
                        || (node.plugins().known() && !node.plugins().isReady(vendor)));
    }

    /** The resources of which some devices are unhealthy: allocatable counts the healthy ones only. */
    static Amounts unhealthy(NodeStudy node) {
        return GpuVendor.gpus(node.facts().node().capacity()).only((name, _) -> isUnhealthy(node, name));
    }

    private static boolean isUnhealthy(NodeStudy node, ResourceName resource) {
        return node.capacity(resource) > node.allocatable(resource)
                && GpuVendor.of(resource)
                        .filter(vendor -> !isStopped(node, vendor))
                        .isPresent()
                && Replacement.of(node, resource).isZero()
                && !GpuLabels.isForMachines(node.facts().node().labels());
    }
}
