package dev.sluice.api;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rank of a device resource. If nodes report more resources than can be shown, those with the best rank are shown.
 * A resource of many nodes ranks before a resource of few nodes. Of the resources that only one node has, the first one
 * of each node ranks before the second one of any node. A malicious kubelet can report any number of invented
 * resources, but with this order they displace only few others.
 *
 * @param nodes the number of nodes that have the resource in capacity or allocatable
 * @param turn the position among the resources that only this node has, beginning with 1; 0 for a resource of several
 *     nodes
 */
record DocumentDeviceRank(int nodes, int turn) {

    /** Sorts the best rank first. */
    static final Comparator<DocumentDeviceRank> FIRST =
            Comparator.comparingInt(DocumentDeviceRank::nodes).reversed().thenComparingInt(DocumentDeviceRank::turn);

    /**
     * Returns the rank of each device resource.
     *
     * @param nodes for each node, its resources without duplicates, with the preferred resources first
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
