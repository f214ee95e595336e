package dev.sluice.api;

import dev.sluice.api.CapacityReport.LeftOut;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.ledger.Ledger;
import java.time.Instant;
import java.util.List;

/**
 * The nodes of a cluster at one moment, and its pods except those in a terminal phase.
 *
 * @param leftOut the malformed objects
 */
public record ClusterContents(List<Node> nodes, List<Pod> pods, LeftOut leftOut) {
    public ClusterContents {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
    }

    /**
     * Returns the ledger that a gateway would have. It contains reservations for pending pods on nodes that have room
     * for them.
     */
    public Ledger ledger() {
        Ledger ledger = new Ledger();
        var _ = ledger.apply(new NodeEvent.NodesListed(nodes, 0));
        var _ = ledger.apply(new PodEvent.ListBegun());
        var _ = ledger.apply(new PodEvent.PodsPage(pods));
        var _ = ledger.apply(new PodEvent.ListEnded(0, Instant.EPOCH));
        return ledger;
    }
}
