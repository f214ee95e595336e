package dev.sluice.doctor;

import dev.sluice.doctor.facts.PodFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The pods of device plugins and DRA drivers, by node. */
final class PluginPods {

    private final Map<String, List<PodFacts>> plugins = new HashMap<>();
    private final Set<String> draNodes = new HashSet<>();

    public PluginPods(List<PodFacts> pods) {
        for (PodFacts pod : pods) {
            if (pod.isBound() && isPlugin(pod)) {
                plugins.computeIfAbsent(pod.nodeName(), _ -> new ArrayList<>()).add(pod);
            }
            if (pod.isBound() && isReadyDriver(pod)) {
                draNodes.add(pod.nodeName());
            }
        }
    }

    /** Plugins of other devices, and the validator, bear the word in their names as well. */
    private static boolean isPlugin(PodFacts pod) {
        return isPluginName(pod.name())
                && pod.owner().filter(owner -> owner.kind().equals("DaemonSet")).isPresent();
    }

    public static boolean isPluginName(String name) {
        return name.contains("device-plugin")
                && Stream.of("validator", "rdma", "sriov", "mps").noneMatch(name::contains);
    }

    public static GpuVendor vendor(String name) {
        return name.contains("amd") ? GpuVendor.AMD : GpuVendor.NVIDIA;
    }

    private static boolean isReadyDriver(PodFacts pod) {
        return pod.name().contains("dra") && pod.name().contains("kubelet-plugin") && pod.isRunningAndReady();
    }

    public List<PodFacts> on(String node, GpuVendor vendor) {
        return plugins.getOrDefault(node, List.of()).stream()
                .filter(pod -> vendor(pod.name()) == vendor)
                .toList();
    }

    /** True if there is any plugin pod. Without one, a plugin pod that is missing on a node says nothing. */
    boolean isAnywhere() {
        return !plugins.isEmpty();
    }

    boolean hasReadyDriver(String node) {
        return draNodes.contains(node);
    }

    boolean hasReady(String node, GpuVendor vendor) {
        return on(node, vendor).stream()
                .anyMatch(Predicate.not(PodFacts::hasEnded).and(PodFacts::isRunningAndReady));
    }
}
