package dev.sluice.doctor;

import dev.sluice.doctor.facts.PodFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Describes the pods of one GPU software component that run the same image in the same namespace.
 *
 * @param image the name and tag of the image, without the registry; empty if the image is not known
 * @param pods the number of pods
 * @param notReady for each pod that is not ready, the name of its node; if the pod has no node, the full name of the
 *     pod
 */
public record GpuSoftware(GpuComponent component, String namespace, String image, int pods, List<String> notReady) {

    private static final Comparator<GpuSoftware> ORDER = Comparator.comparing(GpuSoftware::component)
            .thenComparing(GpuSoftware::namespace)
            .thenComparing(GpuSoftware::image);

    public GpuSoftware {
        notReady = List.copyOf(notReady);
    }

    /** Groups the pods by component, namespace and image, in the order of the components. */
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

    /**
     * Returns the name and tag of the image. The organisation, such as {@code rocm}, is left out, because the namespace
     * already shows the vendor.
     */
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
