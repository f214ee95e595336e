package dev.sluice.ledger;

import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementDeviceUsage;
import java.util.Map;

/**
 * The devices of all known nodes and their usage.
 *
 * @param total the usage of each device, summed over all nodes
 * @param byNode the usage of each device by node name, for nodes that have devices; empty if more nodes have devices
 *     than the caller allows
 */
public record LedgerClusterDevices(
        Map<ResourceName, PlacementDeviceUsage> total, Map<String, Map<ResourceName, PlacementDeviceUsage>> byNode) {

    public LedgerClusterDevices {
        total = Map.copyOf(total);
        byNode = Map.copyOf(byNode);
    }
}
