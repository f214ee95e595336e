package dev.sluice.bench;

import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.ledger.Ledger;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints for how long the turns of the ledger's event loop last while a list of all nodes is told, page by page as a
 * watcher tells it: the first list, in a JVM that has compiled nothing of it, and relists.
 */
final class LongestTurn {

    private static final int PAGE = 500;
    private static final int LISTS = 5;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private LongestTurn() {}

    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        List<Node> nodes = SampleCluster.nodes(count);
        Ledger ledger = new Ledger();
        for (int list = 0; list < LISTS; list++) {
            long version = nodes.getLast().resourceVersion() + list;
            double page = 0;
            double all = 0;
            for (ClusterEvent event : told(nodes, version)) {
                double turn = millis(() -> {
                    var _ = ledger.apply(event);
                });
                page = Math.max(page, turn);
                all += turn;
            }
            double snapshot = millis(() -> {
                var _ = ledger.snapshot();
            });
            System.out.printf(
                    "%,d nodes, list %d: %.0f ms in all, %.1f ms the longest event, %.1f ms the snapshot%n",
                    count, list + 1, all, page, snapshot);
        }
    }

    private static List<ClusterEvent> told(List<Node> nodes, long version) {
        List<ClusterEvent> events = new ArrayList<>();
        events.add(new NodeEvent.NodeListBegun());
        for (int from = 0; from < nodes.size(); from += PAGE) {
            events.add(new NodeEvent.NodesPage(nodes.subList(from, Math.min(from + PAGE, nodes.size()))));
        }
        events.add(new NodeEvent.NodeListEnded(version, Instant.EPOCH));
        return events;
    }

    /** Of the processor, so that neither other programs nor the collector count. */
    private static double millis(Runnable turn) {
        long begun = THREADS.getCurrentThreadCpuTime();
        turn.run();
        return (THREADS.getCurrentThreadCpuTime() - begun) / NANOS_PER_MILLI;
    }
}
