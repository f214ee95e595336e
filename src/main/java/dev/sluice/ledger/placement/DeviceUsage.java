package dev.sluice.ledger.placement;

/**
 * What nodes have of one device, and what is taken of it.
 *
 * @param nodes how many nodes name it in their capacity or Allocatable
 * @param available the sum of what is available on each of them, which is never below 0 on any
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
