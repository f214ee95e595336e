package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;

/**
 * The Allocatable of one resource on a set of nodes.
 *
 * @param total the sum over all nodes
 * @param nodes the number of nodes that have any of the resource
 * @param largest the maximum of a single node
 */
public record AllocatableSummary(long total, long nodes, long largest) {

    public static final AllocatableSummary NONE = new AllocatableSummary(0, 0, 0);

    /** Returns the summary of {@code count} nodes that each have the amount {@code each}. */
    static AllocatableSummary of(long each, long count) {
        return each <= 0 || count == 0
                ? NONE
                : new AllocatableSummary(Amounts.saturatedProduct(each, count), count, each);
    }

    AllocatableSummary plus(AllocatableSummary other) {
        return new AllocatableSummary(
                Amounts.saturatedSum(total, other.total), nodes + other.nodes, Math.max(largest, other.largest));
    }
}
