package dev.sluice.snapshot;

import dev.sluice.quantity.Amounts;

/**
 * How much of one resource some nodes offer.
 *
 * @param total the sum of Allocatable over these nodes
 * @param nodes how many nodes have any
 * @param largest the most that one node has
 */
public record AllocatableSummary(long total, long nodes, long largest) {

    public static final AllocatableSummary NONE = new AllocatableSummary(0, 0, 0);

    /** Of {@code count} nodes that have {@code each}. */
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
