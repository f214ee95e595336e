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
     * @param other a resource that the pod could request instead: the same devices shared among pods or, if the policy
     *     keeps the pod, a similar GPU. A node that the pod may use has this resource. Null if there is no such
     *     resource, or if it is a fallback of the requested one
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
