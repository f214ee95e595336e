package dev.sluice.bus;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.ledger.Usage;
import java.util.Map;

/**
 * What nodes offer and what is taken of it, at one moment.
 *
 * @param byNode for every known node once all pods are known; empty before
 */
public record ClusterUsage(ClusterSnapshot cluster, boolean podsKnown, Map<String, Usage> byNode) {

    public ClusterUsage {
        byNode = Map.copyOf(byNode);
    }
}
