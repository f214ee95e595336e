package dev.sluice.bus;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.ledger.LedgerClusterDevices;
import dev.sluice.ledger.LedgerNodeUsage;
import java.util.Collections;
import java.util.Map;

/**
 * The capacity that nodes offer, and its usage.
 *
 * @param byNode the usage of every known node; empty until all pods are known. The ledger creates a new map for each
 *     message, so the map is not copied here
 * @param unplaced the number of pods and decisions for which no node has enough free capacity; 0 until all pods are
 *     known
 */
public record ClusterUsageReply(
        ClusterSnapshot cluster, boolean podsKnown, Map<String, LedgerNodeUsage> byNode, long unplaced) {

    public ClusterUsageReply {
        byNode = Collections.unmodifiableMap(byNode);
    }

    /** Requests the usage of the cluster. */
    public record UsageQuestion() {}

    /**
     * Requests the usage of devices, summed over all nodes. The reply also contains the usage on each node, unless more
     * than {@code mostNodes} nodes have devices.
     */
    public record DevicesQuestion(int mostNodes) {}

    /** The devices of the nodes and their usage. The usage is 0 until all pods are known. */
    public record DevicesReply(LedgerClusterDevices devices, boolean podsKnown) {}
}
