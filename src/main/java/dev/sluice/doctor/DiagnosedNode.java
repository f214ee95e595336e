package dev.sluice.doctor;

import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.NodeExtendedResources;
import dev.sluice.cluster.dra.DevicePool.PooledDevice;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.DraFacts;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.ShortText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Combines a node with everything that is derived from the node and from its pods.
 *
 * @param hardware maps the vendor of GPUs that containers can use to the label, resource or pod which shows that the
 *     node has such GPUs
 * @param suspected the vendors whose GPUs are only assumed: no label or resource of any node shows them, but their
 *     device plugin has a pod on this node
 * @param managedByDra true if a DRA driver manages the GPUs, so that no GPU resource is in capacity
 * @param plugins the device plugin pods and DRA driver pods on the node
 * @param use the resources that the pods on the node use
 * @param claims the ResourceClaims to which devices of the node are allocated
 * @param devices the devices that ResourceSlices offer on the node
 */
public record DiagnosedNode(
        NodeFacts facts,
        Map<GpuVendor, String> hardware,
        Set<GpuVendor> suspected,
        DiagnosedGpuProduct product,
        boolean managedByDra,
        PluginState plugins,
        DiagnosedNodeUse use,
        List<ResourceClaim> claims,
        List<PooledDevice> devices) {

    private static final String UPGRADE = "nvidia.com/gpu-driver-upgrade-state";
    private static final int LONGEST_STATE = 63;

    /**
     * Holds the device plugin pods of a node.
     *
     * @param known false if no plugin pod was collected from any node; a missing plugin pod on this node then proves
     *     nothing
     * @param pods the device plugin pods, by vendor
     * @param drivers the pods of DRA drivers
     * @param awaited the pods of the driver, the container toolkit and MPS that are not ready
     * @param down the pods of GPU software that do not run, on any node
     * @param discovery a clause about why the node lacks labels of GPU feature discovery; empty if nothing is known
     */
    public record PluginState(
            boolean known,
            Map<GpuVendor, List<PodFacts>> pods,
            List<PodFacts> drivers,
            List<PodFacts> awaited,
            DiagnosedDevicePluginPods.DownSoftware down,
            String discovery) {
        /** Returns the pods in {@code awaited} for which a plugin of this vendor waits. */
        List<PodFacts> awaited(GpuVendor vendor) {
            return awaited.stream()
                    .filter(pod -> DiagnosedDevicePluginPods.isInstallerFor(vendor, pod))
                    .toList();
        }

        /**
         * Returns a clause about the state of a pod of GPU software, followed by the message about the pod if there is
         * one.
         */
        String state(PodFacts pod, String title) {
            return DiagnosedNodeFaultText.state(pod, title) + said(pod);
        }

        /**
         * Returns a clause with the message about a pod of GPU software that does not run; empty if there is no
         * message.
         */
        String said(PodFacts pod) {
            return down.failures().getOrDefault(pod.fullName(), "");
        }

        List<PodFacts> on(GpuVendor vendor) {
            return pods.getOrDefault(vendor, List.of());
        }

        boolean isReady(GpuVendor vendor) {
            return on(vendor).stream().anyMatch(pod -> !pod.hasEnded() && pod.isRunningAndReady());
        }
    }

    /** Returns all nodes, sorted by name. */
    public static List<DiagnosedNode> of(ClusterFacts cluster) {
        return forAsked(cluster, asked(cluster));
    }

    /**
     * Returns all nodes, sorted by name. The nodes are examined for GPUs of all vendors, even if no pod requests them.
     */
    static List<DiagnosedNode> forAllVendors(ClusterFacts cluster) {
        return forAsked(cluster, EnumSet.allOf(GpuVendor.class));
    }

    private static List<DiagnosedNode> forAsked(ClusterFacts cluster, Set<GpuVendor> asked) {
        DiagnosedDevicePluginPods plugins = new DiagnosedDevicePluginPods(cluster);
        Set<GpuVendor> wanted = EnumSet.copyOf(asked);
        Stream.of(GpuVendor.values())
                .filter(vendor -> plugins.isAnywhere(vendor)
                        || !DiagnosedNodeFaultText.pluginSets(vendor, cluster).isEmpty())
                .forEach(wanted::add);
        Map<String, DiagnosedNodeUse> uses = DiagnosedNodeUse.byNode(cluster.pods());
        List<DiagnosedNode> studies = new ArrayList<>();
        for (NodeFacts node : cluster.nodes()) {
            DraState dra = cluster.dra().state();
            NodeFacts offering = node.with(dra.supply().onto(node.node()));
            studies.add(study(
                    offering,
                    plugins,
                    wanted,
                    cluster.dra(),
                    uses.getOrDefault(node.name(), DiagnosedNodeUse.nothing()).withClaims(offering.node(), dra)));
        }
        asked.forEach(vendor -> suspect(studies, vendor));
        studies.sort(Comparator.comparing(DiagnosedNode::name));
        return studies;
    }

    /** Returns the vendors whose GPUs a pod or pod template requests. */
    private static Set<GpuVendor> asked(ClusterFacts cluster) {
        Set<GpuVendor> asked = EnumSet.noneOf(GpuVendor.class);
        Stream.concat(
                        cluster.pods().stream().filter(pod -> !pod.hasEnded()).map(PodFacts::ask),
                        cluster.owners().stream().map(OwnerFacts::template))
                .forEach(ask -> ask.devices()
                        .forEach((resource, _) -> GpuVendor.of(resource).ifPresent(asked::add)));
        return asked;
    }

    /**
     * Returns one node with everything that is derived from the node and its pods.
     *
     * @param wanted the vendors whose GPUs are requested, or for which a device plugin is deployed
     */
    private static DiagnosedNode study(
            NodeFacts node,
            DiagnosedDevicePluginPods plugins,
            Set<GpuVendor> wanted,
            DraFacts dra,
            DiagnosedNodeUse use) {
        Map<GpuVendor, String> hardware = new EnumMap<>(GpuVendor.class);
        Map<GpuVendor, List<PodFacts>> pods = new EnumMap<>(GpuVendor.class);
        for (GpuVendor vendor : GpuVendor.values()) {
            hardware(node, vendor, !wanted.contains(vendor)).ifPresent(shown -> hardware.put(vendor, shown));
            pods.put(vendor, plugins.on(node, vendor));
        }
        List<PooledDevice> devices = dra.state().supply().pools().devicesOn(node.node());
        for (PooledDevice device : devices) {
            GpuVendor.ofDriver(device.id().driver())
                    .ifPresent(vendor -> hardware.putIfAbsent(
                            vendor, "a ResourceSlice of " + device.id().driver()));
        }
        NodeExtendedResources claimed = node.node().byClaims();
        boolean byClaims = (!claimed.offered().isEmpty()
                        && GpuVendor.gpus(claimed.pluginAllocatable()).isZero())
                || (GpuVendor.gpus(node.node().capacity()).isEmpty()
                        && (dra.sliceNodes().contains(node.name()) || plugins.hasReadyDriver(node.name())));
        return new DiagnosedNode(
                node,
                hardware,
                EnumSet.noneOf(GpuVendor.class),
                DiagnosedGpuProduct.of(node),
                byClaims,
                new PluginState(
                        plugins.isAnywhere(),
                        pods,
                        plugins.driversOn(node.name()),
                        plugins.unreadyInstallersOn(node.name()),
                        plugins.down(),
                        plugins.discovery(node.name())),
                use,
                devices.stream()
                        .flatMap(device -> dra.state().claims().holding(device.id()).stream())
                        .distinct()
                        .toList(),
                devices);
    }

    /**
     * Returns the label or resource which shows that the node has GPUs of the vendor for containers; empty if nothing
     * shows it.
     *
     * @param certainOnly true to accept only labels that leave no doubt
     */
    private static Optional<String> hardware(NodeFacts node, GpuVendor vendor, boolean certainOnly) {
        Amounts own = vendor.own(node.node().capacity());
        if (vendor == GpuVendor.NVIDIA && GpuLabels.isForMachines(node.node().labels())) {
            // The labels say that the GPUs are for virtual machines. Only KubeVirt's plugin registers such GPUs, under
            // special resource names.
            Amounts machines = own.only(GpuVendor::isForMachines);
            return machines.isEmpty() ? Optional.empty() : Optional.of("the capacity of " + machines);
        }
        return GpuLabels.telling(node.node().labels(), vendor, certainOnly)
                .or(() -> own.isEmpty() ? Optional.empty() : Optional.of("the capacity of " + own));
    }

    /** If no node shows GPUs of the vendor, assumes that the nodes with the vendor's device plugin have such GPUs. */
    private static void suspect(List<DiagnosedNode> studies, GpuVendor vendor) {
        if (studies.stream().anyMatch(study -> study.has(vendor))) {
            return;
        }
        for (DiagnosedNode study : studies) {
            List<PodFacts> pods = study.plugins().on(vendor);
            if (!pods.isEmpty() && !GpuLabels.isForMachines(study.facts().node().labels())) {
                study.hardware()
                        .put(vendor, "its device plugin pod " + pods.getFirst().fullName());
                study.suspected().add(vendor);
            }
        }
    }

    /** Returns a copy without the pods that use the node. It takes less memory when it is kept after the diagnosis. */
    DiagnosedNode withoutUse() {
        return new DiagnosedNode(
                facts,
                hardware,
                suspected,
                product,
                managedByDra,
                plugins,
                DiagnosedNodeUse.nothing(),
                List.of(),
                devices);
    }

    public String name() {
        return facts.name();
    }

    public String label(String key) {
        return facts.label(key);
    }

    /**
     * Returns the label for the upgrade of the driver, for example
     * {@code nvidia.com/gpu-driver-upgrade-state=drain-failed}; empty if no upgrade is under way. The GPU operator sets
     * the label and cordons the node for the upgrade.
     */
    Optional<String> upgrade() {
        String state = label(UPGRADE);
        return state.isEmpty() || state.equals("upgrade-done")
                ? Optional.empty()
                : Optional.of(UPGRADE + "=" + ShortText.of(state, LONGEST_STATE));
    }

    /** Returns true if the operator has given up the upgrade that {@link #upgrade} describes. */
    boolean hasUpgradeFailed() {
        return label(UPGRADE).equals("upgrade-failed");
    }

    public boolean has(GpuVendor vendor) {
        return hardware.containsKey(vendor);
    }

    public Optional<String> shownBy(GpuVendor vendor) {
        return Optional.ofNullable(hardware.get(vendor));
    }

    public long allocatable(ResourceName resource) {
        return facts.node().allocatable().get(resource);
    }

    public long capacity(ResourceName resource) {
        return facts.node().capacity().get(resource);
    }

    Amounts capacityOf(GpuVendor vendor) {
        return vendor.own(facts.node().capacity());
    }

    Amounts allocatableOf(GpuVendor vendor) {
        return vendor.own(facts.node().allocatable());
    }

    /**
     * Returns true if it is only assumed that the node has GPUs of this vendor. The devices that the node will offer
     * are then unknown.
     */
    boolean suspects(GpuVendor vendor) {
        return suspected.contains(vendor);
    }
}
