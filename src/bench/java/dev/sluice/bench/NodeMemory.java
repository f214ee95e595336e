package dev.sluice.bench;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.kube.decode.NodeDecoder;
import dev.sluice.ledger.placement.PlacementNodes;
import java.lang.ref.Reference;
import java.util.List;

/** Prints how many bytes of heap a node takes, by the difference that many nodes make. */
final class NodeMemory {

    private static final int ENOUGH_TO_LOAD_ALL_CLASSES = 200;

    private NodeMemory() {}

    public static void main(String[] args) {
        // Classes are loaded once and are no memory of nodes.
        var _ = measure(ENOUGH_TO_LOAD_ALL_CLASSES);
        for (int count : new int[] {5_000, 50_000}) {
            System.out.println(measure(count));
        }
    }

    private static String measure(int count) {
        long before = Heap.used();
        NodeDecoder decoder = new NodeDecoder();
        List<Node> nodes = SampleCluster.nodes(count, decoder);
        long records = Heap.used();
        PlacementNodes ledger = SampleCluster.ledger(nodes);
        long withLedger = Heap.used();
        ClusterSnapshot snapshot = ledger.snapshot();
        long withSnapshot = Heap.used();
        // The gateway's decoder lives on too, with what it keeps to be shared.
        List.of(decoder, nodes, ledger, snapshot).forEach(Reference::reachabilityFence);
        return "%,d nodes: %d bytes a node for the records and their decoder, %d for the ledger, %d for the snapshot"
                .formatted(
                        count,
                        (records - before) / count,
                        (withLedger - records) / count,
                        (withSnapshot - withLedger) / count);
    }
}
