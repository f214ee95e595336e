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
 * The nodes, and the pods that have not ended, of a cluster at one moment.
 *
 * @param leftOut the objects that could not be read
 */
public record ClusterContents(List<Node> nodes, List<Pod> pods, LeftOut leftOut) {
    public ClusterContents {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
    }

    /** The ledger that the gateway would have: pending pods are reserved on nodes with room for them. */
    public Ledger ledger() {
        Ledger ledger = new Ledger();
        var _ = ledger.apply(new NodeEvent.NodesListed(nodes, 0));
        var _ = ledger.apply(new PodEvent.ListBegun());
        var _ = ledger.apply(new PodEvent.PodsPage(pods));
        var _ = ledger.apply(new PodEvent.ListEnded(0, Instant.EPOCH));
        return ledger;
    }
}
