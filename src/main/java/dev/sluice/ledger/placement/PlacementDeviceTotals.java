package dev.sluice.ledger.placement;

import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.cluster.quantity.WideSum;
import java.util.HashMap;
import java.util.Map;

/**
 * Holds the usage of each device, summed over all known nodes. The sums are updated at each change of a node. Computing
 * them at each scrape of the metrics would delay decisions in a large cluster.
 */
final class PlacementDeviceTotals {

    private final Map<ResourceName, DeviceSum> byDevice = new HashMap<>();
    private int nodes;

    /** Returns the number of nodes that have a device in their capacity or Allocatable. */
    int nodes() {
        return nodes;
    }

    /** Returns the sums. A sum that would overflow is the largest {@code long}. */
    Map<ResourceName, PlacementDeviceUsage> byDevice() {
        Map<ResourceName, PlacementDeviceUsage> usages = new HashMap<>();
        byDevice.forEach((device, sum) -> usages.put(device, sum.usage()));
        return usages;
    }

    long availableOf(ResourceName device) {
        DeviceSum sum = byDevice.get(device);
        return sum == null ? 0 : sum.available.value();
    }

    /** Adds a node to the sums. The caller calls this method after the usage of the node has changed. */
    void add(PlacementNodeUsage usage) {
        usage.forEachDevice((device, own) ->
                byDevice.computeIfAbsent(device, _ -> new DeviceSum()).add(own));
        nodes += usage.hasDevices() ? 1 : 0;
    }

    /** Subtracts a node from the sums. The caller calls this method before the usage of the node changes. */
    void subtract(PlacementNodeUsage usage) {
        usage.forEachDevice((device, own) ->
                byDevice.computeIfPresent(device, (_, sum) -> sum.nodes == own.nodes() ? null : sum.subtract(own)));
        nodes -= usage.hasDevices() ? 1 : 0;
    }

    private static final class DeviceSum {

        private long nodes;
        private final WideSum allocatable = new WideSum();
        private final WideSum allocated = new WideSum();
        private final WideSum reserved = new WideSum();
        private final WideSum available = new WideSum();

        void add(PlacementDeviceUsage own) {
            nodes += own.nodes();
            allocatable.add(own.allocatable());
            allocated.add(own.allocated());
            reserved.add(own.reserved());
            available.add(own.available());
        }

        DeviceSum subtract(PlacementDeviceUsage own) {
            nodes -= own.nodes();
            allocatable.subtract(own.allocatable());
            allocated.subtract(own.allocated());
            reserved.subtract(own.reserved());
            available.subtract(own.available());
            return this;
        }

        PlacementDeviceUsage usage() {
            return new PlacementDeviceUsage(
                    nodes, allocatable.value(), allocated.value(), reserved.value(), available.value());
        }
    }
}
