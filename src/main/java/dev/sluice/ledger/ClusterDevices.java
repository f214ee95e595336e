package dev.sluice.ledger;

import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.DeviceUsage;
import java.util.Map;

/**
 * The devices of the known nodes, and what is taken of them.
 *
 * @param total of all nodes together
 * @param byNode of each node that names a device; empty if there are more of them than were asked for
 */
public record ClusterDevices(Map<ResourceName, DeviceUsage> total, Map<String, Map<ResourceName, DeviceUsage>> byNode) {

    public ClusterDevices {
        total = Map.copyOf(total);
        byNode = Map.copyOf(byNode);
    }
}
