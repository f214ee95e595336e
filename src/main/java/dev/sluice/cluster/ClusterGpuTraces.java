package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Collects evidence of GPUs in a cluster in which no node reports GPUs as a resource. The evidence is collected when a
 * snapshot is created, so that it takes no time in decisions.
 *
 * @param best one piece of evidence of each kind, from the first node in alphabetical order
 * @param doubtful for each vendor, a label that may describe the graphics unit of a processor
 * @param keys evidence for each extended resource that has the amount 0 on a node
 */
record ClusterGpuTraces(
        Map<TraceKind, ClusterGpuEvidence> best,
        Map<GpuVendor, ClusterGpuEvidence> doubtful,
        Map<ResourceName, ClusterGpuEvidence> keys) {

    static final ClusterGpuTraces NONE = new ClusterGpuTraces(Map.of(), Map.of(), Map.of());

    /** The maximum length of a label in a warning. A label can have 381 characters, but a warning at most 240. */
    private static final int LONGEST_LABEL = 100;

    ClusterGpuTraces {
        best = Map.copyOf(best);
        doubtful = Map.copyOf(doubtful);
        keys = Map.copyOf(keys);
    }

    enum TraceKind {
        MIG_CHANGE,
        HARDWARE,
        OTHER_NAME,
        PLUGIN,
        POOL
    }

    /** @param plugin the evidence that a device plugin for GPUs is installed; null if there is none */
    static ClusterGpuTraces of(Collection<NodeGroup> groups, @Nullable ClusterGpuEvidence plugin) {
        Map<TraceKind, ClusterGpuEvidence> best = new EnumMap<>(TraceKind.class);
        if (plugin != null) {
            best.put(TraceKind.PLUGIN, plugin);
        }
        Map<GpuVendor, ClusterGpuEvidence> doubtful = new EnumMap<>(GpuVendor.class);
        Map<ResourceName, ClusterGpuEvidence> keys = new HashMap<>();
        // Caches the result for each resource name, because the nodes of a cluster have few different names.
        Map<ResourceName, Boolean> names = new HashMap<>();
        for (NodeGroup group : groups) {
            Node node = group.any();
            node.labels().forEach((key, value) -> label(best, doubtful, node, key, value));
            for (Node each : group.nodes()) {
                each.capacity().forEach((name, amount) -> key(keys, each, name, amount));
                each.allocatable().forEach((name, amount) -> {
                    key(keys, each, name, amount);
                    if (amount > 0 && names.computeIfAbsent(name, OtherGpuName::isOfGpus)) {
                        best.merge(TraceKind.OTHER_NAME, named(each, name), ClusterGpuTraces::earlier);
                    }
                });
            }
        }
        return new ClusterGpuTraces(best, doubtful, keys);
    }

    /**
     * Returns the most specific evidence; empty if there is none. From the most specific to the least specific, the
     * kinds of evidence are: a change of a node's MIG configuration, GPUs under another resource name, a label that
     * certainly describes a GPU, a GPU resource with the amount 0, a label that may describe a GPU, a device plugin,
     * and a node pool that can be enlarged.
     *
     * @param asked the vendors whose {@code doubtful} labels are considered
     */
    Optional<ClusterGpuEvidence> first(Predicate<ResourceName> isGpu, Set<GpuVendor> asked) {
        return known(TraceKind.MIG_CHANGE)
                .or(() -> known(TraceKind.OTHER_NAME))
                .or(() -> known(TraceKind.HARDWARE))
                .or(() -> keys.entrySet().stream()
                        .filter(key -> isGpu.test(key.getKey()))
                        .min(Map.Entry.comparingByKey())
                        .map(Map.Entry::getValue))
                .or(() -> asked.stream()
                        .filter(doubtful::containsKey)
                        .map(doubtful::get)
                        .findFirst())
                .or(() -> known(TraceKind.PLUGIN))
                .or(() -> known(TraceKind.POOL));
    }

    private Optional<ClusterGpuEvidence> known(TraceKind kind) {
        return Optional.ofNullable(best.get(kind));
    }

    private static void key(Map<ResourceName, ClusterGpuEvidence> keys, Node node, ResourceName name, long amount) {
        if (amount == 0 && name.isExtended()) {
            keys.merge(
                    name,
                    ClusterGpuEvidence.ofNode(node.name(), "lists " + name + " with 0"),
                    ClusterGpuTraces::earlier);
        }
    }

    private static ClusterGpuEvidence named(Node node, ResourceName name) {
        return ClusterGpuEvidence.ofNode(node.name(), "has its GPUs under another name, " + shortened(name.value()));
    }

    private static void label(
            Map<TraceKind, ClusterGpuEvidence> best,
            Map<GpuVendor, ClusterGpuEvidence> doubtful,
            Node node,
            String key,
            String value) {
        if (GpuLabels.isOfMigChange(key, value)) {
            best.merge(
                    TraceKind.MIG_CHANGE,
                    ClusterGpuEvidence.ofNode(node.name(), "has its MIG configuration changed"),
                    ClusterGpuTraces::earlier);
        }
        if (GpuLabels.isOfPool(key)) {
            String told = "is of a node pool (" + shown(key, value) + "), and pools can grow";
            best.merge(TraceKind.POOL, ClusterGpuEvidence.ofNode(node.name(), told), ClusterGpuTraces::earlier);
        }
        GpuLabels.hardware(key, value).ifPresent(hardware -> {
            if (hardware.certain()) {
                best.merge(TraceKind.HARDWARE, labelled(node, key, value), ClusterGpuTraces::earlier);
            } else {
                doubtful.merge(hardware.vendor(), labelled(node, key, value), ClusterGpuTraces::earlier);
            }
        });
    }

    private static ClusterGpuEvidence labelled(Node node, String key, String value) {
        String count = node.labels().getOrDefault(GpuLabels.COUNT, "");
        boolean counted = !count.isEmpty() && !count.equals("0");
        return ClusterGpuEvidence.ofNode(
                node.name(),
                counted
                        ? "is labelled as having " + shortened(count) + (count.equals("1") ? " GPU" : " GPUs")
                                + ", none registered yet"
                        : "is labelled " + shown(key, value) + ", no GPU registered yet");
    }

    /**
     * Returns the evidence whose node comes first in alphabetical order. If both are of the same node, returns the
     * evidence whose text comes first.
     */
    private static ClusterGpuEvidence earlier(ClusterGpuEvidence one, ClusterGpuEvidence other) {
        int order = one.name().compareTo(other.name());
        int inNode = order == 0 ? one.told().compareTo(other.told()) : order;
        return inNode <= 0 ? one : other;
    }

    private static String shown(String key, String value) {
        return shortened(key + "=" + value);
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_LABEL ? text : text.substring(0, LONGEST_LABEL) + "...";
    }
}
