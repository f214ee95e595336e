package dev.sluice.admission.verdict;

import dev.sluice.cluster.quantity.ResourceName;
import org.jspecify.annotations.Nullable;

/** The reason why no node offers a requested resource. */
public sealed interface Shortfall extends ShortfallOrExhaustion {

    ResourceName resource();

    /** Returns the amount of the resource that one node must have for the pod. */
    long need();

    /**
     * No node has any of the resource.
     *
     * @param other the name under which a node that the pod may use shares the same devices among pods or, if the pod
     *     is kept, offers alike devices; null if there is no such node, or if the name is a fallback of the resource
     */
    record NoNode(
            ResourceName resource, long need, @Nullable ResourceName other) implements Shortfall {}

    /** Some nodes have the resource, but the pod may not use any of them. */
    record NoUsableNode(ResourceName resource, long need) implements Shortfall {}

    /**
     * No node that the pod may use has enough of the resource.
     *
     * @param largest the maximum amount on one node that the pod may use
     * @param elsewhere true if a node that the pod may not use has enough
     */
    record TooFewOnEachNode(ResourceName resource, long need, long largest, boolean elsewhere) implements Shortfall {}

    /** A node has enough of this resource, but no node has enough of all GPU resources of the pod. */
    record NotTogether(ResourceName resource, long need) implements Shortfall {}
}
