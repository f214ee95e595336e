package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.doctor.facts.PodFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The pods of device plugins and DRA drivers, by node. */
final class PluginPods {

    private final Map<String, List<PodFacts>> plugins = new HashMap<>();
    private final Map<String, List<PodFacts>> drivers = new HashMap<>();

    PluginPods(List<PodFacts> pods) {
        for (PodFacts pod : pods) {
            if (pod.isBound() && isPlugin(pod)) {
                plugins.computeIfAbsent(pod.nodeName(), _ -> new ArrayList<>()).add(pod);
            }
            if (pod.isBound() && isDriver(pod)) {
                drivers.computeIfAbsent(pod.nodeName(), _ -> new ArrayList<>()).add(pod);
            }
        }
    }

    private static boolean isPlugin(PodFacts pod) {
        return (GpuComponent.isPluginName(pod.name()) || GpuComponent.isPluginImage(pod.image()))
                && pod.owner().filter(owner -> owner.kind().equals("DaemonSet")).isPresent();
    }

    private static boolean isDriver(PodFacts pod) {
        return pod.name().contains("dra") && pod.name().contains("kubelet-plugin");
    }

    /**
     * Whose GPUs a plugin registers: by its image, else its namespace, and by its name only where neither tells. Empty
     * where nothing tells.
     */
    static Optional<GpuVendor> vendor(String image, String namespace, String name) {
        int tag = image.indexOf(':');
        return Stream.of(tag < 0 ? image : image.substring(0, tag), namespace, name)
                .flatMap(text -> vendorIn(text).stream())
                .findFirst();
    }

    static Optional<GpuVendor> vendorIn(String text) {
        if (text.contains("rocm") || text.replace("amd64", "").contains("amd")) {
            return Optional.of(GpuVendor.AMD);
        }
        return text.contains("nvidia")
                ? Optional.of(GpuVendor.NVIDIA)
                : text.contains("intel") ? Optional.of(GpuVendor.INTEL) : Optional.empty();
    }

    /** A plugin that does not tell its vendor is taken to serve what the node has. */
    private static GpuVendor servedBy(PodFacts pod, NodeFacts node) {
        return vendor(pod.image(), pod.namespace(), pod.name())
                .or(() -> Stream.of(GpuVendor.values())
                        .filter(vendor -> !vendor.own(node.node().capacity()).isEmpty())
                        .findFirst())
                .orElse(GpuVendor.NVIDIA);
    }

    List<PodFacts> on(NodeFacts node, GpuVendor vendor) {
        return plugins.getOrDefault(node.name(), List.of()).stream()
                .filter(pod -> servedBy(pod, node) == vendor)
                .toList();
    }

    /** True if there is any plugin pod. Without one, a plugin pod that is missing on a node says nothing. */
    boolean isAnywhere() {
        return !plugins.isEmpty();
    }

    /** True if a plugin of this vendor is anywhere, by its image, its namespace or its name. */
    boolean isAnywhere(GpuVendor vendor) {
        return plugins.values().stream()
                .flatMap(List::stream)
                .anyMatch(pod -> vendor(pod.image(), pod.namespace(), pod.name())
                        .filter(vendor::equals)
                        .isPresent());
    }

    /** The pods of DRA drivers on a node. */
    List<PodFacts> driversOn(String node) {
        return drivers.getOrDefault(node, List.of());
    }

    boolean hasReadyDriver(String node) {
        return driversOn(node).stream().anyMatch(PodFacts::isRunningAndReady);
    }
}
