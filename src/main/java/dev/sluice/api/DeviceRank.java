package dev.sluice.api;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much a device matters if nodes name more devices than are shown. A device of more nodes comes first. Among those
 * of a single node, the first one of each node comes before the second one of any node. So a node that names many
 * devices, which its kubelet may invent, displaces no device of several nodes, and few of the others.
 *
 * @param nodes the number of nodes that have the device in capacity or allocatable
 * @param turn the position among the devices that no other node has, beginning with 1; 0 for a device of several nodes
 */
record DeviceRank(int nodes, int turn) {

    /** Devices that matter more come first. */
    static final Comparator<DeviceRank> FIRST =
            Comparator.comparingInt(DeviceRank::nodes).reversed().thenComparingInt(DeviceRank::turn);

    /**
     * Returns the rank of each device.
     *
     * @param nodes the devices of each node, without duplicates, those that matter more first
     */
    static Map<ResourceName, DeviceRank> of(Collection<List<ResourceName>> nodes) {
        Map<ResourceName, Integer> counts = new HashMap<>();
        nodes.forEach(devices -> devices.forEach(device -> counts.merge(device, 1, Integer::sum)));
        Map<ResourceName, DeviceRank> ranks = new HashMap<>();
        counts.forEach((device, count) -> ranks.put(device, new DeviceRank(count, 0)));
        for (List<ResourceName> devices : nodes) {
            int turn = 0;
            for (ResourceName device : devices) {
                if (counts.getOrDefault(device, 0) == 1) {
                    turn++;
                    ranks.put(device, new DeviceRank(1, turn));
                }
            }
        }
        return ranks;
    }
}
