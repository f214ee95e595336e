package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;

/**
 * The Allocatable of one resource on some nodes.
 *
 * @param nodes the number of nodes with any of it
 * @param largest the maximum of one node
 */
public record AllocatableSummary(long total, long nodes, long largest) {

    public static final AllocatableSummary NONE = new AllocatableSummary(0, 0, 0);

    /** {@code count} nodes with {@code each}. */
    static AllocatableSummary of(long each, long count) {
        return each <= 0 || count == 0
                ? NONE
                : new AllocatableSummary(each > Long.MAX_VALUE / count ? Long.MAX_VALUE : each * count, count, each);
    }

    AllocatableSummary plus(AllocatableSummary other) {
        return new AllocatableSummary(
                Amounts.saturatedSum(total, other.total), nodes + other.nodes, Math.max(largest, other.largest));
    }
}
