package dev.sluice.cluster;

import java.util.List;

/**
 * How much of one resource some nodes offer.
 *
 * @param total the sum of Allocatable over these nodes
 * @param nodes how many nodes have any
 * @param largest the most that one node has
 */
public record Supply(long total, long nodes, long largest) {

    public static final Supply NONE = new Supply(0, 0, 0);

    static Supply of(ResourceName name, List<NodeGroup> groups) {
        Supply sum = NONE;
        for (NodeGroup group : groups) {
            sum = sum.plus(group.devices().get(name), group.nodes().size());
        }
        return sum;
    }

    Supply plus(long each, long count) {
        return count == 0
                ? this
                : new Supply(
                        Amounts.saturatedSum(total, each > Long.MAX_VALUE / count ? Long.MAX_VALUE : each * count),
                        nodes + count,
                        Math.max(largest, each));
    }
}
