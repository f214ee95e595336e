package dev.sluice.admission.verdict;

import dev.sluice.cluster.quantity.ResourceName;

/** The reason why a resource that nodes offer is not available now. */
public sealed interface Exhaustion extends ShortfallOrExhaustion {

    /**
     * Returns the free amount of the resource on all nodes, even on nodes that the pod may not use.
     * {@link NoNodeHasEnough} may count fewer nodes.
     */
    FreeCount count();

    /** The free amount on all nodes together is less than the pod needs. */
    record TooFewFree(FreeCount count, long need) implements Exhaustion {}

    /**
     * None of the nodes that would accept the pod now has enough of the resource free.
     *
     * @param count the free amount on the nodes that would accept the pod now, or on all nodes if none of these nodes
     *     has the resource
     * @param elsewhere true if the resource exists only on nodes that would not accept the pod now
     */
    record NoNodeHasEnough(FreeCount count, long need, boolean elsewhere) implements Exhaustion {}

    /**
     * Nodes have enough of the resource free, but none of them also has enough of another resource.
     *
     * @param amount the amount of {@code other} that the pod needs
     */
    record ShortBeside(FreeCount count, long need, ResourceName other, long amount) implements Exhaustion {}

    /** For each requested resource there is a node with enough free, but no node has enough of all of them. */
    record NoNodeHasAll(FreeCount count) implements Exhaustion {}

    /**
     * The free amount of one resource on some nodes or on all nodes.
     *
     * @param free the free amount on these nodes together
     * @param total the Allocatable of these nodes together
     * @param nodes the number of these nodes whose Allocatable contains the resource
     * @param uncertain true if some devices may or may not be free; {@code free} is then the amount that is certainly
     *     free
     */
    record FreeCount(ResourceName resource, long free, long total, long nodes, boolean uncertain) {}
}
