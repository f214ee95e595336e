package dev.sluice.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Nodes whose containers share one resource in the same way.
 *
 * @param strategy such as {@code time-slicing} or {@code mps}
 * @param replicas how many containers share a device, as the label says it; empty where it says nothing
 */
public record GpuSharing(String resource, String strategy, String replicas, List<String> nodes) {

    private static final String STRATEGY = ".sharing-strategy";

    private static final Comparator<GpuSharing> ORDER = Comparator.comparing(GpuSharing::resource)
            .thenComparing(GpuSharing::strategy)
            .thenComparing(GpuSharing::replicas);

    public GpuSharing {
        nodes = List.copyOf(nodes);
    }

    /** By resource and strategy. */
    public static List<GpuSharing> of(List<NodeStudy> nodes) {
        Map<GpuSharing, List<String>> groups = new TreeMap<>(ORDER);
        for (NodeStudy node : nodes) {
            for (GpuSharing sharing : on(node)) {
                groups.computeIfAbsent(sharing, _ -> new ArrayList<>()).add(node.name());
            }
        }
        return groups.entrySet().stream()
                .map(group -> new GpuSharing(
                        group.getKey().resource, group.getKey().strategy, group.getKey().replicas, group.getValue()))
                .toList();
    }

    /** Feature discovery before 0.15 tells it by the product only. */
    private static List<GpuSharing> on(NodeStudy node) {
        List<GpuSharing> found = new ArrayList<>();
        node.facts().node().labels().forEach((key, value) -> {
            if (key.startsWith("nvidia.com/") && key.endsWith(STRATEGY) && !value.equals("none")) {
                String resource = key.substring(0, key.length() - STRATEGY.length());
                found.add(new GpuSharing(resource, value, node.label(resource + ".replicas"), List.of()));
            }
        });
        if (found.isEmpty() && node.product().name().endsWith("-SHARED")) {
            found.add(new GpuSharing("nvidia.com/gpu", "shared", node.label("nvidia.com/gpu.replicas"), List.of()));
        }
        return found;
    }
}
