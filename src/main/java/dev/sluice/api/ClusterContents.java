package dev.sluice.api;

import dev.sluice.admission.request.LimitRanges;
import dev.sluice.api.CapacityReport.LeftOut;
import dev.sluice.cluster.ClusterGpuEvidence;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.ledger.Ledger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All nodes of a cluster, and all its pods that are not in a terminal phase, at one point in time.
 *
 * @param leftOut the malformed objects, which were left out
 * @param dra the state of DRA, as far as it is known
 * @param limitRanges the rules of LimitRanges for extended resources
 * @param plugin the DaemonSet of a device plugin for GPUs, as evidence that the cluster has GPUs; empty if there is
 *     none
 */
public record ClusterContents(
        List<Node> nodes,
        List<Pod> pods,
        LeftOut leftOut,
        DraState dra,
        LimitRanges limitRanges,
        Optional<ClusterGpuEvidence> plugin) {
    public ClusterContents {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
    }

    public ClusterContents(List<Node> nodes, List<Pod> pods, LeftOut leftOut) {
        this(nodes, pods, leftOut, DraState.NONE);
    }

    public ClusterContents(List<Node> nodes, List<Pod> pods, LeftOut leftOut, DraState dra) {
        this(nodes, pods, leftOut, dra, LimitRanges.NONE, Optional.empty());
    }

    /**
     * Returns the ledger that a gateway in this cluster would have: the allocated resources, and reservations for
     * pending pods.
     */
    public Ledger ledger() {
        Ledger ledger = new Ledger();
        ledger.offer(dra);
        plugin.ifPresent(ledger::installed);
        var _ = ledger.apply(new NodeEvent.NodesListed(nodes, 0));
        var _ = ledger.apply(new PodEvent.ListBegun());
        var _ = ledger.apply(new PodEvent.PodsPage(pods));
        var _ = ledger.apply(new PodEvent.ListEnded(0, Instant.EPOCH));
        return ledger;
    }
}
