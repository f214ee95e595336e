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
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A cluster in which nearly everything is taken: on each node as many pods as there are on average, and its devices
 * held by them, except on one node in 50. Of those, every second one has no processor left.
 */
final class FullCluster {

    static final int PAGE = 500;

    private static final int FREE = 50;
    private static final Amounts ONE = Amounts.of(ResourceName.PODS, 1);
    private static final Instant START = Instant.EPOCH;

    private final List<Node> nodes;
    private final int podsPerNode;

    FullCluster(List<Node> nodes, int pods) {
        this.nodes = nodes;
        this.podsPerNode = pods / nodes.size();
    }

    int pods() {
        return podsPerNode * nodes.size();
    }

    /** As a watcher tells it, with all objects new, as a decoder makes them. */
    Ledger told(long version) {
        Ledger ledger = new Ledger();
        var _ = ledger.apply(new NodeEvent.NodesListed(nodes, version));
        list(ledger, version, () -> {});
        return ledger;
    }

    void list(Ledger ledger, long version, Runnable afterEachPage) {
        var _ = ledger.apply(new PodEvent.ListBegun());
        for (int from = 0; from < pods(); from += PAGE) {
            List<Pod> page = new ArrayList<>(PAGE);
            for (int number = from; number < Math.min(pods(), from + PAGE); number++) {
                page.add(pod(number, version));
            }
            var _ = ledger.apply(new PodEvent.PodsPage(page));
            afterEachPage.run();
        }
        var _ = ledger.apply(new PodEvent.ListEnded(version, START));
    }

    /** The same pod for the same number; the first of each node holds the node's devices. */
    Pod pod(int number, long version) {
        SplittableRandom random = new SplittableRandom(number);
        Node node = nodes.get(number / podsPerNode);
        PodId id = new PodId(random.nextLong(), random.nextLong());
        String name = "team-%d/%s-%x".formatted(number % 40, "training-job", number);
        return new Pod(id, name, new Pod.Place.Bound(node.name()), requests(node, number), "", version);
    }

    private Amounts requests(Node node, int number) {
        boolean first = number % podsPerNode == 0;
        boolean hasFree = number / podsPerNode % FREE == 0;
        boolean hasNoProcessor = number / podsPerNode % (2 * FREE) == 0;
        Amounts small = ONE.plus(Amounts.of(ResourceName.CPU, 100L * (1 + number % 3)))
                .plus(Amounts.of(ResourceName.MEMORY, (1 + number % 4) << 28));
        if (!first) {
            return small;
        }
        Amounts devices = node.allocatable().only(ResourceName::isExtended);
        Amounts all = hasFree ? ONE : ONE.plus(devices);
        return hasNoProcessor ? all.plus(node.allocatable().only(name -> name.equals(ResourceName.CPU))) : all;
    }

    Node node(int number) {
        return nodes.get(number);
    }
}
