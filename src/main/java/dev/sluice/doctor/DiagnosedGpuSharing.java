package dev.sluice.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Describes a group of nodes on which containers share one resource in the same way.
 *
 * @param strategy the sharing strategy, for example {@code time-slicing} or {@code mps}
 * @param replicas the number of containers that share a device, as the label of the node shows it; empty if the node
 *     does not have the label
 * @param nodes the names of the nodes
 */
public record DiagnosedGpuSharing(String resource, String strategy, String replicas, List<String> nodes) {

    /** The label {@code <resource>.sharing-strategy} says how the GPUs of a node are shared. */
    static final String STRATEGY = ".sharing-strategy";

    private static final Comparator<DiagnosedGpuSharing> ORDER = Comparator.comparing(DiagnosedGpuSharing::resource)
            .thenComparing(DiagnosedGpuSharing::strategy)
            .thenComparing(DiagnosedGpuSharing::replicas);

    public DiagnosedGpuSharing {
        nodes = List.copyOf(nodes);
    }

    /** Groups the nodes by resource, strategy and number of replicas. */
    public static List<DiagnosedGpuSharing> of(List<DiagnosedNode> nodes) {
        Map<DiagnosedGpuSharing, List<String>> groups = new TreeMap<>(ORDER);
        for (DiagnosedNode node : nodes) {
            for (DiagnosedGpuSharing sharing : on(node)) {
                groups.computeIfAbsent(sharing, _ -> new ArrayList<>()).add(node.name());
            }
        }
        return groups.entrySet().stream()
                .map(group -> new DiagnosedGpuSharing(
                        group.getKey().resource, group.getKey().strategy, group.getKey().replicas, group.getValue()))
                .toList();
    }

    /**
     * Returns the shared resources of a node. Feature discovery before 0.15 has no label for the strategy, so sharing
     * is recognised by the suffix {@code -SHARED} of the product label.
     */
    private static List<DiagnosedGpuSharing> on(DiagnosedNode node) {
        List<DiagnosedGpuSharing> found = new ArrayList<>();
        node.facts().node().labels().forEach((key, value) -> {
            if (key.startsWith("nvidia.com/") && key.endsWith(STRATEGY) && !value.equals("none")) {
                String resource = key.substring(0, key.length() - STRATEGY.length());
                found.add(new DiagnosedGpuSharing(resource, value, node.label(resource + ".replicas"), List.of()));
            }
        });
        if (found.isEmpty() && node.product().name().endsWith("-SHARED")) {
            found.add(new DiagnosedGpuSharing(
                    "nvidia.com/gpu", "shared", node.label("nvidia.com/gpu.replicas"), List.of()));
        }
        return found;
    }
}
