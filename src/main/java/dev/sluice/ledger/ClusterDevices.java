package dev.sluice.ledger;

import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.DeviceUsage;
import java.util.Map;

/**
 * The devices of the known nodes, and how much of them is taken.
 *
 * @param total the usage of each device, added up over all nodes
 * @param byNode the usage of each device by node name, for nodes that have devices; empty if there are more such nodes
 *     than the caller asked for
 */
public record ClusterDevices(Map<ResourceName, DeviceUsage> total, Map<String, Map<ResourceName, DeviceUsage>> byNode) {

    public ClusterDevices {
        total = Map.copyOf(total);
        byNode = Map.copyOf(byNode);
    }
}
