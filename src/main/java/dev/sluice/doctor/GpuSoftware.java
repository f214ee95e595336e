package dev.sluice.doctor;

import dev.sluice.doctor.facts.PodFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pods of one component with one image in one namespace.
 *
 * @param image its name and tag without the registry; empty where the source does not tell it
 * @param notReady the nodes whose pod of it is not ready, or the pods that have no node
 */
public record GpuSoftware(GpuComponent component, String namespace, String image, int pods, List<String> notReady) {

    private static final Comparator<GpuSoftware> ORDER = Comparator.comparing(GpuSoftware::component)
            .thenComparing(GpuSoftware::namespace)
            .thenComparing(GpuSoftware::image);

    public GpuSoftware {
        notReady = List.copyOf(notReady);
    }

    /** In the order of the components. */
    public static List<GpuSoftware> of(List<PodFacts> pods) {
        Map<GpuSoftware, List<PodFacts>> groups = new TreeMap<>(ORDER);
        for (PodFacts pod : pods) {
            if (!pod.hasEnded() && pod.owner().isPresent()) {
                GpuComponent.of(pod.name())
                        .map(component -> new GpuSoftware(component, pod.namespace(), image(pod), 0, List.of()))
                        .ifPresent(key -> groups.computeIfAbsent(key, _ -> new ArrayList<>())
                                .add(pod));
            }
        }
        return groups.entrySet().stream()
                .map(group -> group.getKey().with(group.getValue()))
                .toList();
    }

    /** Its name and tag; the namespace tells the vendor in a table. */
    private static String image(PodFacts pod) {
        return pod.image().substring(pod.image().lastIndexOf('/') + 1);
    }

    private GpuSoftware with(List<PodFacts> members) {
        return new GpuSoftware(
                component,
                namespace,
                image,
                members.size(),
                members.stream()
                        .filter(pod -> !pod.isRunningAndReady())
                        .map(pod -> pod.isBound() ? pod.nodeName() : pod.fullName())
                        .toList());
    }

    public int ready() {
        return pods - notReady.size();
    }
}
