package dev.sluice.it;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pods as users write them: with limits only. */
final class Pods {

    private Pods() {}

    static Pod asking(String name, String resource) {
        return asking(name, resource, 1);
    }

    static Pod asking(String name, String resource, int quantity) {
        return named(name, spec(container("main", resource, quantity)));
    }

    /** It stays after its deletion, until {@link Cluster#letGo}. */
    static Pod held(Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .withFinalizers("example.com/wait")
                .endMetadata()
                .build();
    }

    /** Returns the pod as the strictest Pod Security Standard wants it, which holds in the gateway's namespace. */
    static Pod restricted(Pod pod) {
        return new PodBuilder(pod)
                .editSpec()
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .editFirstContainer()
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .endContainer()
                .endSpec()
                .build();
    }

    static Pod plain(String name) {
        return named(name, spec(container("main", "cpu", 1)));
    }

    static Pod named(String name, PodSpec spec) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withSpec(spec)
                .build();
    }

    static PodSpec spec(Container... containers) {
        return new PodSpecBuilder()
                .withContainers(containers)
                .withTerminationGracePeriodSeconds(0L)
                .build();
    }

    static Container container(String name, String resource, int quantity) {
        return new ContainerBuilder()
                .withName(name)
                .withImage("none")
                .withNewResources()
                .withLimits(Map.of(resource, new Quantity(Integer.toString(quantity))))
                .endResources()
                .build();
    }

    static String json(Pod pod) {
        return Serialization.asJson(pod);
    }

    /** The resources that the first container asks for, both maps, as text. */
    static String limits(Pod pod) {
        return text(pod.getSpec().getContainers().getFirst().getResources().getLimits());
    }

    static String requests(Pod pod) {
        return text(pod.getSpec().getContainers().getFirst().getResources().getRequests());
    }

    /** {@code name=quantity} by name. */
    private static String text(Map<String, Quantity> resources) {
        return new TreeMap<>(resources).toString();
    }

    static String fallback(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault("gpu-webhook.k8s.io/fallback", "");
    }

    /** The names of the annotations that Sluice has written, or that would be taken for such. */
    static List<String> ofSluice(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations == null
                ? List.of()
                : annotations.keySet().stream()
                        .filter(name -> name.startsWith("gpu-webhook.k8s.io/"))
                        .sorted()
                        .toList();
    }
}
