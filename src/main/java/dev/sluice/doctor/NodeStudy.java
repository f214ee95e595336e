package dev.sluice.doctor;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.doctor.facts.PodFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node with what follows from it and the pods on it.
 *
 * @param hardware what shows a vendor's hardware for containers
 * @param managedByDra no GPU resource in capacity, and a DRA driver in its place
 * @param plugins the pods of device plugins on it
 */
public record NodeStudy(
        NodeFacts facts,
        Map<GpuVendor, String> hardware,
        GpuProduct product,
        boolean managedByDra,
        PluginState plugins,
        NodeUse use) {

    /**
     * The device plugins of a node.
     *
     * @param known false where the snapshot has no plugin pod anywhere, so that none on this node means nothing
     */
    public record PluginState(boolean known, Map<GpuVendor, List<PodFacts>> pods, Map<GpuVendor, Boolean> ready) {
        boolean isReady(GpuVendor vendor) {
            return ready.getOrDefault(vendor, false);
        }
    }

    /** All nodes, sorted by name. */
    public static List<NodeStudy> of(ClusterFacts cluster) {
        PluginPods plugins = new PluginPods(cluster.pods());
        Map<String, NodeUse> uses = NodeUse.byNode(cluster.pods());
        List<NodeStudy> studies = new ArrayList<>();
        for (NodeFacts node : cluster.nodes()) {
            boolean hasSlice = cluster.dra().sliceNodes().contains(node.name());
            studies.add(of(node, plugins, hasSlice, uses.getOrDefault(node.name(), NodeUse.nothing())));
        }
        studies.sort(Comparator.comparing(NodeStudy::name));
        return studies;
    }

    private static NodeStudy of(NodeFacts node, PluginPods plugins, boolean hasSlice, NodeUse use) {
        Map<GpuVendor, String> hardware = new EnumMap<>(GpuVendor.class);
        Map<GpuVendor, List<PodFacts>> pods = new EnumMap<>(GpuVendor.class);
        Map<GpuVendor, Boolean> ready = new EnumMap<>(GpuVendor.class);
        for (GpuVendor vendor : GpuVendor.values()) {
            vendor.hardware(node).ifPresent(shown -> hardware.put(vendor, shown));
            pods.put(vendor, plugins.on(node.name(), vendor));
            ready.put(vendor, plugins.hasReady(node.name(), vendor));
        }
        boolean dra =
                GpuVendor.gpus(node.node().capacity()).isEmpty() && (hasSlice || plugins.hasReadyDriver(node.name()));
        return new NodeStudy(
                node, hardware, GpuProduct.of(node), dra, new PluginState(plugins.isAnywhere(), pods, ready), use);
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
}
