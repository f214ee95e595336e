package dev.sluice.snapshot;

import dev.sluice.quantity.Amounts;

/**
 * How much of one resource some nodes offer.
 *
 * @param total the sum of Allocatable over these nodes
 * @param nodes how many nodes have any
 * @param largest the most that one node has
 */
public record Supply(long total, long nodes, long largest) {

    public static final Supply NONE = new Supply(0, 0, 0);

    /** Of {@code count} nodes that have {@code each}. */
    static Supply of(long each, long count) {
        return each <= 0 || count == 0
                ? NONE
                : new Supply(each > Long.MAX_VALUE / count ? Long.MAX_VALUE : each * count, count, each);
    }

    Supply plus(Supply other) {
        return new Supply(
                Amounts.saturatedSum(total, other.total), nodes + other.nodes, Math.max(largest, other.largest));
    }
}
