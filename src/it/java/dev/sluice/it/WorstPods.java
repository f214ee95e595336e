package dev.sluice.it;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Pods that make a condition of the registration do as much work as possible, within what the API server takes: 3 MiB
 * of request, 1.5 MiB in etcd, names of resources of up to 244 + 1 + 63 letters.
 */
final class WorstPods {

    private static final Quantity ZERO = new Quantity("0");
    /** With "requests." before it, as quotas name it, no name may have more letters. */
    private static final String LONG = "n".repeat(240) + ".com/" + "x".repeat(60);

    private WorstPods() {}

    static Pod named(String name, List<Container> containers, List<Container> init) {
        return new PodBuilder(Pods.named(name, Pods.spec(containers.toArray(Container[]::new))))
                .editSpec()
                .withInitContainers(init)
                .endSpec()
                .build();
    }

    /** The gateway must be asked about each, and the API server stores them. */
    static List<Pod> stored(String gpu) {
        return List.of(
                behind("names", names(12_000, "a/"), gpu),
                behind("almost-mig", names(10_000, "nvidia.com/mi"), gpu),
                behind("long-names", names(1_000, LONG), gpu),
                named("containers", containers(2_000, gpu), List.of()),
                named("init-containers", List.of(plain("main")), containers(2_000, gpu)),
                named("just-within", crowd(32, gpu, names(16, LONG)), crowd(32, "", names(18, LONG))),
                new PodBuilder(one("annotations", asking(gpu, Map.of())))
                        .editMetadata()
                        .withAnnotations(annotations(8_000))
                        .endMetadata()
                        .build());
    }

    /** Sent to webhooks, but not stored: too large for etcd, which webhooks come before, or without limits. */
    static List<Pod> sent(String gpu) {
        return List.of(
                behind("more-names", names(58_000, "a/"), gpu),
                behind("longer-names", names(7_500, LONG), gpu),
                one("requests", requesting(gpu, names(12_000, "a/"))),
                named("more-containers", containers(33_000, gpu), List.of()));
    }

    /** The dearest ones of which every name is looked at, because no size is beyond the guards. */
    static List<Pod> withoutGpuAndWithinTheGuards() {
        return List.of(
                named("long", crowd(32, "", names(18, LONG)), crowd(32, "", names(17, LONG))),
                named("almost", crowd(32, "", names(18, "nvidia.com/mi")), crowd(32, "", names(17, "gpu.intel.co/"))),
                named("short", crowd(32, "", names(18, "a/")), crowd(32, "", names(17, "a/"))));
    }

    /** In a container of its own: within one map the API server looks at names in any order, and may find it soon. */
    private static Pod behind(String name, Map<String, Quantity> names, String gpu) {
        return named(name, List.of(limited("names", "", names), limited("gpu", gpu, Map.of())), List.of());
    }

    private static Pod one(String name, Container container) {
        return named(name, List.of(container), List.of());
    }

    private static Container plain(String name) {
        return new ContainerBuilder().withName(name).withImage("i").build();
    }

    private static Container asking(String gpu, Map<String, Quantity> names) {
        return limited("main", gpu, names);
    }

    private static Container limited(String name, String gpu, Map<String, Quantity> names) {
        return new ContainerBuilder(plain(name))
                .withResources(new ResourceRequirementsBuilder()
                        .withLimits(with(gpu, names))
                        .build())
                .build();
    }

    private static Container requesting(String gpu, Map<String, Quantity> names) {
        return new ContainerBuilder(plain("main"))
                .withResources(new ResourceRequirementsBuilder()
                        .withRequests(with(gpu, names))
                        .build())
                .build();
    }

    /** The last one asks for the GPU. */
    private static List<Container> containers(int count, String gpu) {
        return IntStream.range(0, count)
                .mapToObj(i -> i == count - 1 ? limited("c" + i, gpu, Map.of()) : plain("c" + i))
                .toList();
    }

    /** Each asks for all names, and the last one for the GPU, if one is wanted. */
    private static List<Container> crowd(int count, String gpu, Map<String, Quantity> names) {
        String prefix = gpu.isEmpty() ? "i" : "c";
        return IntStream.range(0, count)
                .mapToObj(i -> limited(prefix + names.size() + "-" + i, i == count - 1 ? gpu : "", names))
                .toList();
    }

    private static Map<String, Quantity> with(String gpu, Map<String, Quantity> names) {
        Map<String, Quantity> all = new LinkedHashMap<>(names);
        if (!gpu.isEmpty()) {
            all.put(gpu, new Quantity("1"));
        }
        return all;
    }

    private static Map<String, Quantity> names(int count, String prefix) {
        Map<String, Quantity> names = new LinkedHashMap<>();
        IntStream.range(0, count).forEach(i -> names.put(prefix + Integer.toString(i, 36), ZERO));
        return names;
    }

    private static Map<String, String> annotations(int count) {
        Map<String, String> annotations = new LinkedHashMap<>();
        IntStream.range(0, count).forEach(i -> annotations.put("a/" + i, "x".repeat(20)));
        return annotations;
    }
}
