package dev.sluice.ledger.placement;

import dev.sluice.cluster.quantity.Amounts;

/**
 * The usage of one device on one or more nodes.
 *
 * @param nodes the number of nodes that have the device in their capacity or Allocatable
 * @param available the sum of the Available amounts of the nodes; a node with a negative amount counts as 0
 */
public record PlacementDeviceUsage(long nodes, long allocatable, long allocated, long reserved, long available) {

    /** Returns the sum of this usage and the other usage. A sum that would overflow is the largest {@code long}. */
    public PlacementDeviceUsage plus(PlacementDeviceUsage other) {
        return new PlacementDeviceUsage(
                nodes + other.nodes,
                Amounts.saturatedSum(allocatable, other.allocatable),
                Amounts.saturatedSum(allocated, other.allocated),
                Amounts.saturatedSum(reserved, other.reserved),
                Amounts.saturatedSum(available, other.available));
    }
}
