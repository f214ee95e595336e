package dev.sluice.injection;

import dev.sluice.pod.ContainerKind;
import dev.sluice.quantity.Quantity;
import dev.sluice.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What injection reads of a pod, whose GPU resources are already those it ends up with.
 *
 * @param namespace of the request
 * @param type the value of {@link #TYPE}
 * @param containers of all kinds, in any order; a portion names one by its place in here
 * @param podLevel the resources that the pod asks for as a whole ({@code spec.resources}), in requests or limits
 */
public record PodResources(
        String namespace, String type, List<Container> containers, Set<ResourceName> podLevel, String limitRanger) {

    /** The annotation by which a pod asks for injection. */
    public static final String TYPE = "task.bkbcs.tencent.com/gpu-type";

    /** One container's resource maps; empty where the pod has none. */
    public record Container(
            ContainerKind kind, String name, Map<ResourceName, Quantity> limits, Map<ResourceName, Quantity> requests) {

        /** What it requests; its limit where it has no request, which is what the API server makes of that. */
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
