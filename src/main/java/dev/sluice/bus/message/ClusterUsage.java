package dev.sluice.bus.message;

import dev.sluice.ledger.Usage;
import dev.sluice.snapshot.ClusterSnapshot;
import java.util.Map;

/**
 * What nodes offer and what is taken of it, at one moment.
 *
 * @param byNode for every known node once all pods are known; empty before
 * @param unplaced pods and decisions for which there is no room now; 0 before
 */
public record ClusterUsage(ClusterSnapshot cluster, boolean podsKnown, Map<String, Usage> byNode, long unplaced) {

    public ClusterUsage {
        byNode = Map.copyOf(byNode);
    }
}
