package dev.sluice.admission.injection;

import dev.sluice.cluster.ContainerKind;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The parts of a pod that injection reads, after its GPU resources were exchanged.
 *
 * @param namespace the namespace of the request
 * @param type the value of {@link #TYPE}
 * @param containers all containers; a portion names one by its index
 * @param podLevel the pod-level resources ({@code spec.resources}), in requests or limits
 */
public record PodResources(
        String namespace, String type, List<Container> containers, Set<ResourceName> podLevel, String limitRanger) {

    /** The annotation by which a pod asks for injection. */
    public static final String TYPE = "task.bkbcs.tencent.com/gpu-type";

    /** A container with its resource maps, which may be empty. */
    public record Container(
            ContainerKind kind, String name, Map<ResourceName, Quantity> limits, Map<ResourceName, Quantity> requests) {

        /** The request, or the limit if there is none, as the API server defaults it. */
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
