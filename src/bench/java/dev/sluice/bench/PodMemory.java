package dev.sluice.bench;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.Ledger;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Prints how many bytes of heap a pod takes in the ledger, by the difference that many make, and the peak of a relist.
 */
final class PodMemory {

    private static final int NODES = 5_000;
    private static final int PODS = 100_000;
    /** The heap is looked at after so many pages of a relist. */
    private static final int PAGES = 20;

    private PodMemory() {}

    public static void main(String[] args) {
        List<Node> nodes = SampleCluster.nodes(NODES);
        perPod(nodes, "a pod without devices", Amounts.NONE);
        perPod(nodes, "a pod with a device", Amounts.of(ResourceName.NVIDIA_GPU, 1));
        relist(nodes);
    }

    /** Requests are shared, as the decoder shares them: pods of one template ask the same. */
    private static void perPod(List<Node> nodes, String what, Amounts devices) {
        Map<Amounts, Amounts> pool = new HashMap<>();
        Ledger ledger = new Ledger();
        var _ = ledger.apply(new NodeEvent.NodesListed(nodes, 1));
        long before = Heap.used();
        for (int number = 0; number < PODS; number++) {
            SplittableRandom random = new SplittableRandom(number);
            Amounts requests = pool.computeIfAbsent(
                    devices.plus(Amounts.of(ResourceName.CPU, 100L * (1 + number % 40)))
                            .plus(Amounts.of(ResourceName.PODS, 1)),
                    first -> first);
            PodId id = new PodId(random.nextLong(), random.nextLong());
            String name = "team-%d/training-job-7c9f%x".formatted(number % 40, number);
            Pod.Place place = new Pod.Place.Bound(SampleNodes.name(number % NODES));
            var _ = ledger.apply(new PodEvent.PodSeen(new Pod(id, name, place, requests, "", number + 2L)));
        }
        System.out.printf(
                "%s: %d bytes%n",
                what, (Heap.used() - before) / ledger.statistics().pods());
    }

    private static void relist(List<Node> nodes) {
        FullCluster cluster = new FullCluster(nodes, PODS);
        long nothing = Heap.used();
        Ledger ledger = cluster.told(1);
        long settled = Heap.used() - nothing;
        AtomicLong peak = new AtomicLong();
        AtomicInteger page = new AtomicInteger();
        cluster.list(ledger, 2, () -> {
            if (page.incrementAndGet() % PAGES == 0) {
                peak.accumulateAndGet(Heap.used() - nothing, Math::max);
            }
        });
        System.out.printf(
                "%,d pods on %,d nodes: %,d KB settled, at most %,d KB during a relist (%.3f), %s%n",
                ledger.statistics().pods(),
                nodes.size(),
                settled >> 10,
                peak.get() >> 10,
                (double) peak.get() / settled,
                ledger.syncedUpTo().equals(Instant.EPOCH) ? ledger.statistics().auditDifference() : "not told");
    }
}
