package dev.sluice.admission.injection;

import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The parts of a pod that injection reads. If the gateway has exchanged a GPU resource of the pod, they contain the new
 * resource.
 *
 * @param namespace the namespace of the admission request
 * @param type the value of the annotation {@link #TYPE}
 * @param containers all containers of the pod; {@link Injection.Portion} refers to a container by its index in this
 *     list
 * @param podLevel the resources in the pod-level requests or limits ({@code spec.resources})
 */
public record InjectionPodResources(
        String namespace, String type, List<Container> containers, Set<ResourceName> podLevel, String limitRanger) {

    /** The annotation that requests injection for a pod. Its value is the GPU type. */
    public static final String TYPE = "task.bkbcs.tencent.com/gpu-type";

    /** A container with its requests and limits, which may be empty. */
    public record Container(
            PodContainerKind kind,
            String name,
            Map<ResourceName, Quantity> limits,
            Map<ResourceName, Quantity> requests) {

        /**
         * Returns the request of the container. If there is none, returns the limit, which the API server then uses as
         * the request.
         */
        Quantity requested(ResourceName name) {
            Quantity request = requests.get(name);
            return request != null ? request : limits.getOrDefault(name, Quantity.ZERO);
        }

        boolean names(ResourceName name) {
            return requests.containsKey(name) || limits.containsKey(name);
        }

        boolean has(ResourceName name) {
            return requested(name).compareTo(Quantity.ZERO) > 0;
        }
    }
}
