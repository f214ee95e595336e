package dev.sluice.cli;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.codec.CapacityReport.LeftOut;
import dev.sluice.ledger.Ledger;
import java.time.Instant;
import java.util.List;

/**
 * A cluster at one moment.
 *
 * @param pods those that have not ended
 * @param leftOut what could not be read
 */
record ClusterContents(List<Node> nodes, List<Pod> pods, LeftOut leftOut) {
    ClusterContents {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
    }

    /** What the gateway would make of it: pods that wait stand where there is room for them. */
    Ledger ledger() {
        Ledger ledger = new Ledger();
        var _ = ledger.apply(new NodeEvent.NodesListed(nodes, 0));
        var _ = ledger.apply(new PodEvent.ListBegun());
        var _ = ledger.apply(new PodEvent.Page(pods));
        var _ = ledger.apply(new PodEvent.ListEnded(0, Instant.EPOCH));
        return ledger;
    }
}
