package dev.sluice.bench;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeLedger;
import java.util.List;

/** Prints how many bytes of heap a node takes, by the difference that many nodes make. */
final class NodeMemory {

    private NodeMemory() {}

    public static void main(String[] args) {
        for (int count : new int[] {5_000, 50_000}) {
            measure(count);
        }
    }

    private static void measure(int count) {
        long before = Heap.used();
        List<Node> nodes = SampleCluster.nodes(count);
        long records = Heap.used();
        NodeLedger ledger = SampleCluster.ledger(nodes);
        long withLedger = Heap.used();
        ClusterSnapshot snapshot = ledger.snapshot();
        long withSnapshot = Heap.used();
        System.out.printf(
                "%,d nodes: %d bytes a node for the records, %d for the ledger, %d for the snapshot%n",
                // Asked of the objects, which so are still there.
                Math.min(nodes.size(), snapshot.nodes().size()),
                (records - before) / count,
                (withLedger - records) / count,
                (withSnapshot - withLedger) / count);
        if (!ledger.isSynced()) {
            throw new IllegalStateException("the ledger has not heard of the nodes");
        }
    }
}
