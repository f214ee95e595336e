package dev.sluice.bus;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.ledger.ClusterDevices;
import dev.sluice.ledger.Usage;
import java.util.Collections;
import java.util.Map;

/**
 * What nodes offer and what is taken of it.
 *
 * @param byNode the usage of every known node, empty until all pods are known. It is not copied, because a copy for
 *     100,000 nodes would hold decisions; the ledger made it for this message.
 * @param unplaced how many pods and decisions have no node with room; 0 until all pods are known
 */
public record ClusterUsage(ClusterSnapshot cluster, boolean podsKnown, Map<String, Usage> byNode, long unplaced) {

    public ClusterUsage {
        byNode = Collections.unmodifiableMap(byNode);
    }

    /** Asks for the usage of the cluster. */
    public record UsageQuestion() {}

    /** Asks for the devices of all nodes together, and of each node if no more than {@code mostNodes} have any. */
    public record DevicesQuestion(int mostNodes) {}

    /** What is taken of the devices is 0 until all pods are known. */
    public record DevicesReply(ClusterDevices devices, boolean podsKnown) {}
}
