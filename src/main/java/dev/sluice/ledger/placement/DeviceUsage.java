package dev.sluice.ledger.placement;

/**
 * The usage of one device on one or more nodes.
 *
 * @param nodes the number of nodes that have the device in their capacity or Allocatable
 * @param available the sum over the nodes of what is Available on each; a node that is overcommitted counts as 0
 */
public record DeviceUsage(long nodes, long allocatable, long allocated, long reserved, long available) {

    DeviceUsage plus(DeviceUsage other) {
        return new DeviceUsage(
                nodes + other.nodes,
                allocatable + other.allocatable,
                allocated + other.allocated,
                reserved + other.reserved,
                available + other.available);
    }

    DeviceUsage minus(DeviceUsage other) {
        return new DeviceUsage(
                nodes - other.nodes,
                allocatable - other.allocatable,
                allocated - other.allocated,
                reserved - other.reserved,
                available - other.available);
    }
}
