package dev.sluice.ledger.placement;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.Map;

/**
 * Sums the usage of each device over all known nodes. The sums are updated with each change of a node, because adding
 * up all nodes of a large cluster for each scrape would delay decisions.
 */
final class DeviceTotals {

    private final Map<ResourceName, DeviceUsage> byDevice = new HashMap<>();
    private int nodes;

    /** Returns the number of nodes that have a device in their capacity or Allocatable. */
    int nodes() {
        return nodes;
    }

    Map<ResourceName, DeviceUsage> byDevice() {
        return Map.copyOf(byDevice);
    }

    long availableOf(ResourceName device) {
        DeviceUsage usage = byDevice.get(device);
        return usage == null ? 0 : usage.available();
    }

    /** Adds a node to the sums. The caller calls this method after the usage of the node has changed. */
    void add(NodeUsage usage) {
        usage.forEachDevice((device, own) -> byDevice.merge(device, own, DeviceUsage::plus));
        nodes += usage.hasDevices() ? 1 : 0;
    }

    /** Subtracts a node from the sums. The caller calls this method before the usage of the node changes. */
    void subtract(NodeUsage usage) {
        usage.forEachDevice((device, own) ->
                byDevice.computeIfPresent(device, (_, sum) -> sum.nodes() == own.nodes() ? null : sum.minus(own)));
        nodes -= usage.hasDevices() ? 1 : 0;
    }
}
