package dev.sluice.doctor;

import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.OtherGpuName;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the faults that keep a node from offering its GPUs. Each rule is a method, and the list of rules defines their
 * order.
 */
final class NodeFaults {

    static final String STATE = "nvidia.com/mig.config.state";
    static final String WANTED = "nvidia.com/mig.config";
    static final String STRATEGY = "nvidia.com/mig.strategy";

    /** The value of {@link #STATE} while the node restarts for a change of the MIG configuration. */
    static final String REBOOTING = "rebooting";

    private static final String PAUSED = "paused-for-mig-change";

    private NodeFaults() {}

    private interface Rule {
        boolean holds(DiagnosedNode node);
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
        boolean holds(DiagnosedNode node, GpuVendor vendor);
    }

    private static boolean any(DiagnosedNode node, VendorRule rule) {
        for (GpuVendor vendor : GpuVendor.values()) {
            if (rule.holds(node, vendor)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the fault that a report shows for the node: the first one in the order of the rules, because it usually
     * causes the later ones.
     */
    public static Optional<FindingCode> first(DiagnosedNode node) {
        return RULES.stream()
                .filter(named -> named.rule().holds(node))
                .map(Named::code)
                .findFirst();
    }

    /**
     * Returns up to two faults that keep the node from offering more devices of the resource. One is the vendor's first
     * fault in the order of the rules. The other is {@link FindingCode#UNHEALTHY_DEVICES}, if devices of this resource
     * are unhealthy. The repair of one of them could be sufficient.
     */
    public static List<FindingCode> about(DiagnosedNode node, ResourceName resource, GpuVendor vendor) {
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

    private static boolean isAbout(Named named, DiagnosedNode node, GpuVendor vendor) {
        return switch (named.code()) {
            case PLUGIN_NOT_REGISTERED -> isNotRegistered(node, vendor);
            case PLUGIN_STOPPED -> isStopped(node, vendor);
            default -> vendor == GpuVendor.NVIDIA && named.rule().holds(node);
        };
    }

    /**
     * Returns true if the last change of the MIG configuration failed, according to the label that the MIG manager of
     * the GPU operator sets.
     */
    private static boolean migChangeFailed(DiagnosedNode node) {
        return node.label(STATE).equals("failed");
    }

    private static boolean migChangeRuns(DiagnosedNode node) {
        return node.facts().node().labels().entrySet().stream()
                .anyMatch(label -> GpuLabels.isOfMigChange(label.getKey(), label.getValue()));
    }

    private static boolean isPaused(Map.Entry<String, String> label) {
        return label.getValue().equals(PAUSED) && GpuLabels.isOfMigChange(label.getKey(), label.getValue());
    }

    /**
     * Returns the labels with which the MIG manager has paused the device plugin and other components during a change,
     * sorted.
     */
    public static List<String> pausedLabels(DiagnosedNode node) {
        return node.facts().node().labels().entrySet().stream()
                .filter(NodeFaults::isPaused)
                .map(label -> label.getKey() + "=" + PAUSED)
                .sorted()
                .toList();
    }

    private static boolean migWithoutInstances(DiagnosedNode node) {
        String wanted = node.label(WANTED);
        return node.label("nvidia.com/mig.capable").equals("true")
                && node.label(STATE).equals("success")
                && !wanted.isEmpty()
                && !wanted.equals("all-disabled")
                && !node.label(STRATEGY).equals("single")
                && !offersSlices(node.facts().node().capacity())
                && !offersSlices(node.facts().node().allocatable())
                && node.allocatable(ResourceName.NVIDIA_GPU) < GpuHardwareLabelNumber.of(node.label(GpuLabels.COUNT));
    }

    private static boolean offersSlices(Amounts amounts) {
        return amounts.anyMatch((name, amount) -> name.isMig() && amount > 0);
    }

    /**
     * Returns true if no device plugin has registered a resource of the vendor since the node joined the cluster. The
     * kubelet keeps a registered resource in capacity permanently (devicemanager). So if capacity contains no resource
     * of the vendor, none was registered. Returns false if other software has registered the GPUs under its own
     * resource name.
     */
    static boolean isNotRegistered(DiagnosedNode node, GpuVendor vendor) {
        return node.has(vendor)
                && node.facts().reported()
                && !node.managedByDra()
                && node.capacityOf(vendor).isEmpty()
                && !node.facts().node().capacity().anyMatch((name, amount) -> amount > 0 && OtherGpuName.is(name));
    }

    /**
     * Returns true if the device plugin registered a resource and then stopped. The kubelet sets the number of devices
     * to 0 in two cases: when the kubelet restarts, and five minutes after the endpoint of the plugin stopped.
     */
    static boolean isStopped(DiagnosedNode node, GpuVendor vendor) {
        Amounts capacity = node.capacityOf(vendor);
        boolean nothing = node.has(vendor)
                && !capacity.isEmpty()
                && node.allocatableOf(vendor).isZero();
        return nothing
                && !node.managedByDra()
                && (capacity.isZero()
                        || (node.plugins().known() && !node.plugins().isReady(vendor)));
    }

    /**
     * Returns the resources with unhealthy devices. Allocatable counts only healthy devices, so it is less than the
     * capacity of these resources. If the plugin did not find a GPU when it started, neither number contains the GPU.
     * Only the label of feature discovery does.
     */
    static Amounts unhealthy(DiagnosedNode node) {
        return GpuVendor.gpus(node.facts().node().capacity()).only((name, _) -> isUnhealthy(node, name));
    }

    /**
     * Returns the number of GPUs in the label of feature discovery; 0 if this number cannot be compared with the
     * capacity. The numbers can be compared only if the plugin registers each GPU once, as {@code nvidia.com/gpu}. This
     * is not the case for shared GPUs, GPUs in a ResourceSlice, and GPUs with MIG. A requested MIG configuration counts
     * as MIG, because MIG may be off only for the moment.
     */
    static long labelled(DiagnosedNode node, ResourceName resource) {
        boolean onceEach = resource.equals(ResourceName.NVIDIA_GPU)
                && GpuHardwareLabelNumber.of(node.label("nvidia.com/gpu.replicas")) <= 1
                && !node.label("nvidia.com/mig.capable").isEmpty()
                && (node.label(WANTED).isEmpty() || node.label(WANTED).equals("all-disabled"))
                && !node.product().isSlice()
                && !node.product().isInvalid()
                && !ClaimedDeviceFindings.hasGpus(node)
                && !migChangeRuns(node)
                && !node.capacityOf(GpuVendor.NVIDIA).anyMatch((name, _) -> !name.equals(ResourceName.NVIDIA_GPU));
        return onceEach && node.capacity(resource) > 0
                ? Math.max(0, GpuHardwareLabelNumber.of(node.label(GpuLabels.COUNT)))
                : 0;
    }

    private static boolean isUnhealthy(DiagnosedNode node, ResourceName resource) {
        return Math.max(node.capacity(resource), labelled(node, resource)) > node.allocatable(resource)
                && !node.facts().node().claims(resource)
                && GpuVendor.of(resource)
                        .filter(vendor -> !isStopped(node, vendor))
                        .isPresent()
                && ReplacedResourceRule.of(node, resource).isZero()
                && !GpuLabels.isForMachines(node.facts().node().labels());
    }
}
