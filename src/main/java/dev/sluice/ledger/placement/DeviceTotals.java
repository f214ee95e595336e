package dev.sluice.ledger.placement;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.Map;

/**
 * What all known nodes have of each device together. The sums follow every change of a node, because adding up the
 * nodes of a large cluster for each scrape would hold decisions.
 */
final class DeviceTotals {

    private final Map<ResourceName, DeviceUsage> byDevice = new HashMap<>();
    private int nodes;

    /** How many nodes name a device. */
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

    /** To be called after the usage has changed. */
    void add(NodeUsage usage) {
        usage.forEachDevice((device, own) -> byDevice.merge(device, own, DeviceUsage::plus));
        nodes += usage.hasDevices() ? 1 : 0;
    }

    /** To be called before the usage changes. */
    void subtract(NodeUsage usage) {
        usage.forEachDevice((device, own) ->
                byDevice.computeIfPresent(device, (_, sum) -> sum.nodes() == own.nodes() ? null : sum.minus(own)));
        nodes -= usage.hasDevices() ? 1 : 0;
    }
}
