package dev.sluice.doctor;

import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodFacts;
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
 * A node with what follows from it and the pods on it.
 *
 * @param hardware what shows a vendor's hardware for containers
 * @param suspected the vendors whose hardware nothing shows but their device plugin, which has registered nothing
 * @param managedByDra no GPU resource in capacity, and a DRA driver in its place
 * @param plugins the pods of device plugins on it
 */
public record NodeStudy(
        NodeFacts facts,
        Map<GpuVendor, String> hardware,
        Set<GpuVendor> suspected,
        GpuProduct product,
        boolean managedByDra,
        PluginState plugins,
        NodeUse use) {

    /**
     * The device plugins of a node.
     *
     * @param known false where the snapshot has no plugin pod anywhere, so that none on this node means nothing
     * @param drivers the pods of DRA drivers
     */
    public record PluginState(boolean known, Map<GpuVendor, List<PodFacts>> pods, List<PodFacts> drivers) {
        List<PodFacts> on(GpuVendor vendor) {
            return pods.getOrDefault(vendor, List.of());
        }

        boolean isReady(GpuVendor vendor) {
            return on(vendor).stream().anyMatch(pod -> !pod.hasEnded() && pod.isRunningAndReady());
        }
    }

    /** All nodes, sorted by name. */
    public static List<NodeStudy> of(ClusterFacts cluster) {
        return forAsked(cluster, asked(cluster));
    }

    /** All nodes, sorted by name, for somebody who may ask for GPUs of each vendor. */
    static List<NodeStudy> forAllVendors(ClusterFacts cluster) {
        return forAsked(cluster, EnumSet.allOf(GpuVendor.class));
    }

    private static List<NodeStudy> forAsked(ClusterFacts cluster, Set<GpuVendor> asked) {
        PluginPods plugins = new PluginPods(cluster.pods());
        Set<GpuVendor> wanted = EnumSet.copyOf(asked);
        Stream.of(GpuVendor.values())
                .filter(vendor -> plugins.isAnywhere(vendor)
                        || !FaultText.pluginSets(vendor, cluster).isEmpty())
                .forEach(wanted::add);
        Map<String, NodeUse> uses = NodeUse.byNode(cluster.pods());
        List<NodeStudy> studies = new ArrayList<>();
        for (NodeFacts node : cluster.nodes()) {
            boolean hasSlice = cluster.dra().sliceNodes().contains(node.name());
            studies.add(study(node, plugins, wanted, hasSlice, uses.getOrDefault(node.name(), NodeUse.nothing())));
        }
        asked.forEach(vendor -> suspect(studies, vendor));
        studies.sort(Comparator.comparing(NodeStudy::name));
        return studies;
    }

    /** The vendors whose GPUs somebody asks for. */
    private static Set<GpuVendor> asked(ClusterFacts cluster) {
        Set<GpuVendor> asked = EnumSet.noneOf(GpuVendor.class);
        Stream.concat(
                        cluster.pods().stream().filter(pod -> !pod.hasEnded()).map(PodFacts::ask),
                        cluster.owners().stream().map(OwnerFacts::template))
                .forEach(ask -> ask.requests()
                        .forEach((resource, _) -> GpuVendor.of(resource).ifPresent(asked::add)));
        return asked;
    }

    /** @param wanted the vendors whose GPUs somebody asks for, or means to hand out by a device plugin */
    private static NodeStudy study(
            NodeFacts node, PluginPods plugins, Set<GpuVendor> wanted, boolean hasSlice, NodeUse use) {
        Map<GpuVendor, String> hardware = new EnumMap<>(GpuVendor.class);
        Map<GpuVendor, List<PodFacts>> pods = new EnumMap<>(GpuVendor.class);
        for (GpuVendor vendor : GpuVendor.values()) {
            hardware(node, vendor, !wanted.contains(vendor)).ifPresent(shown -> hardware.put(vendor, shown));
            pods.put(vendor, plugins.on(node, vendor));
        }
        boolean dra =
                GpuVendor.gpus(node.node().capacity()).isEmpty() && (hasSlice || plugins.hasReadyDriver(node.name()));
        return new NodeStudy(
                node,
                hardware,
                EnumSet.noneOf(GpuVendor.class),
                GpuProduct.of(node),
                dra,
                new PluginState(plugins.isAnywhere(), pods, plugins.driversOn(node.name())),
                use);
    }

    /** The label or resource that shows hardware for containers; empty without it. */
    private static Optional<String> hardware(NodeFacts node, GpuVendor vendor, boolean certainOnly) {
        Amounts own = vendor.own(node.node().capacity());
        if (vendor == GpuVendor.NVIDIA && GpuLabels.isForMachines(node.node().labels())) {
            // The names that KubeVirt's plugin registers are for the pods of virtual machines.
            Amounts machines = own.only(GpuVendor::isForMachines);
            return machines.isEmpty() ? Optional.empty() : Optional.of("the capacity of " + machines);
        }
        return GpuLabels.telling(node.node().labels(), vendor, certainOnly)
                .or(() -> own.isEmpty() ? Optional.empty() : Optional.of("the capacity of " + own));
    }

    /**
     * Where no node shows the vendor's hardware, the nodes with its device plugin are the only ones that may have it.
     */
    private static void suspect(List<NodeStudy> studies, GpuVendor vendor) {
        if (studies.stream().anyMatch(study -> study.has(vendor))) {
            return;
        }
        for (NodeStudy study : studies) {
            List<PodFacts> pods = study.plugins().on(vendor);
            if (!pods.isEmpty() && !GpuLabels.isForMachines(study.facts().node().labels())) {
                study.hardware()
                        .put(vendor, "its device plugin pod " + pods.getFirst().fullName());
                study.suspected().add(vendor);
            }
        }
    }

    public String name() {
        return facts.name();
    }

    public String label(String key) {
        return facts.label(key);
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

    /** Nothing is known of what the node will offer: only a plugin that has registered nothing speaks of the vendor. */
    boolean suspects(GpuVendor vendor) {
        return suspected.contains(vendor);
    }
}
