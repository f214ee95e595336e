package dev.sluice.api;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rank of a device, by which devices are selected if nodes report more than can be shown. A device of more nodes
 * ranks before a device of fewer nodes. Among the devices that only one node has, the first device of each node ranks
 * before the second device of any node. A malicious kubelet can report any number of invented devices, but they
 * displace no device of several nodes, and only few devices of other nodes.
 *
 * @param nodes the number of nodes that have the device in capacity or allocatable
 * @param turn the position among the devices that no other node has, beginning with 1; 0 for a device of several nodes
 */
record DocumentDeviceRank(int nodes, int turn) {

    /** Sorts the devices with the best rank first. */
    static final Comparator<DocumentDeviceRank> FIRST =
            Comparator.comparingInt(DocumentDeviceRank::nodes).reversed().thenComparingInt(DocumentDeviceRank::turn);

    /**
     * Returns the rank of each device.
     *
     * @param nodes the devices of each node, without duplicates; the devices to prefer come first
     */
    static Map<ResourceName, DocumentDeviceRank> of(Collection<List<ResourceName>> nodes) {
        Map<ResourceName, Integer> counts = new HashMap<>();
        nodes.forEach(devices -> devices.forEach(device -> counts.merge(device, 1, Integer::sum)));
        Map<ResourceName, DocumentDeviceRank> ranks = new HashMap<>();
        counts.forEach((device, count) -> ranks.put(device, new DocumentDeviceRank(count, 0)));
        for (List<ResourceName> devices : nodes) {
            int turn = 0;
            for (ResourceName device : devices) {
                if (counts.getOrDefault(device, 0) == 1) {
                    turn++;
                    ranks.put(device, new DocumentDeviceRank(1, turn));
                }
            }
        }
        return ranks;
    }
}
