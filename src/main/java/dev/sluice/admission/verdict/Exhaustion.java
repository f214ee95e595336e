package dev.sluice.admission.verdict;

import dev.sluice.cluster.quantity.ResourceName;

/** Why a resource that nodes offer cannot be had now. */
public sealed interface Exhaustion {

    /** How much of the resource is free, on nodes that the pod may use and on others. */
    FreeCount count();

    /** All nodes together have less than the pod needs. */
    record TooFewFree(FreeCount count, long need) implements Exhaustion {}

    /** No node that would take the pod now has so much free. */
    record NoNodeHasEnough(FreeCount count, long need) implements Exhaustion {}

    /**
     * Nodes have enough of the resource, but none of them has enough of another one beside it.
     *
     * @param amount of {@code other} that the pod needs
     */
    record ShortBeside(FreeCount count, long need, ResourceName other, long amount) implements Exhaustion {}

    /** Nodes have enough of each resource, but no node has all of them. */
    record NoNodeHasAll(FreeCount count) implements Exhaustion {}

    /**
     * The free capacity of one resource.
     *
     * @param total the sum of Allocatable
     * @param nodes how many nodes have any, in use or not
     */
    record FreeCount(ResourceName resource, long free, long total, long nodes) {}
}
