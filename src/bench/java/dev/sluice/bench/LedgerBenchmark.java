package dev.sluice.bench;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementNodes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the owner of the ledger does on its event loop, which nothing may hold for over 50 ms. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx2g"})
public class LedgerBenchmark {

    @Param({"500", "5000", "50000"})
    private int nodes;

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private List<Node> listed;

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private PlacementNodes ledger;

    private int next;
    private long version;

    @Setup
    public void prepare() {
        listed = SampleCluster.nodes(nodes);
        version = listed.size() + listed.getLast().resourceVersion();
        ledger = SampleCluster.ledger(listed);
    }

    /** A node whose devices are partitioned anew, now one way and now the other. */
    private Node repartitioned() {
        next = (next + 1) % (2 * nodes);
        Node node = listed.get(next % nodes);
        Amounts slices = Amounts.of(new ResourceName("nvidia.com/mig-3g.40gb"), 16);
        return withAllocatable(node, next < nodes ? node.allocatable().plus(slices) : node.allocatable());
    }

    private Node withAllocatable(Node node, Amounts allocatable) {
        version++;
        return new Node(
                node.name(), node.labels(), node.taints(), node.unschedulable(), node.capacity(), allocatable, version);
    }

    /** The first list, or a relist that brings the same nodes. */
    @Benchmark
    public boolean list() {
        return new PlacementNodes().apply(new NodeEvent.NodesListed(listed, version));
    }

    /** What kubelets report every few minutes, with nothing new in it. */
    @Benchmark
    public boolean heartbeat() {
        next = (next + 1) % nodes;
        Node node = listed.get(next);
        return ledger.apply(new NodeEvent.NodeSeen(withAllocatable(node, node.allocatable())));
    }

    @Benchmark
    public boolean change() {
        return ledger.apply(new NodeEvent.NodeSeen(repartitioned()));
    }

    @Benchmark
    public ClusterSnapshot changeAndSnapshot() {
        var _ = ledger.apply(new NodeEvent.NodeSeen(repartitioned()));
        return ledger.snapshot();
    }
}
