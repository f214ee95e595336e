package dev.sluice.admission.verdict;

import dev.sluice.cluster.quantity.ResourceName;

/** Why no node offers what is asked of one resource. */
public sealed interface Shortfall {

    ResourceName resource();

    /** How much one node must have. */
    long need();

    /** No node has any of the resource. */
    record NoNode(ResourceName resource, long need) implements Shortfall {}

    /** Some nodes have the resource, but the pod may use none of them. */
    record NoUsableNode(ResourceName resource, long need) implements Shortfall {}

    /**
     * No node that the pod may use has enough.
     *
     * @param largest the most that one of these nodes has
     * @param elsewhere a node that the pod may not use has enough
     */
    record TooFewOnEachNode(ResourceName resource, long need, long largest, boolean elsewhere) implements Shortfall {}

    /** A node has enough of this resource, but none has it together with the other GPU resources of the pod. */
    record NotTogether(ResourceName resource, long need) implements Shortfall {}
}
