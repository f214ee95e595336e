package dev.sluice.bench;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.Ledger;
import dev.sluice.ledger.placement.PlacementRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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

/** What a decision of availability mode asks of the ledger, and what pod events cost it, in a nearly full cluster. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx1g"})
public class FreeBenchmark {

    /** What a pod asks and where it may run. */
    public enum Question {
        ONE_GPU,
        EIGHT_GPUS,
        /** Where GPUs are free there is no processor for so many. */
        NO_PROCESSOR,
        /** All of them are taken. */
        EXHAUSTED,
        /** Tolerates what keeps others off most GPU nodes. */
        TOLERANT,
        BY_ZONE,
        BY_HOSTNAME,
        /** Two devices that no node has together. */
        TWO_DEVICES,
        NO_GPU,
        /** Only a search of all nodes tells that this is nowhere free. */
        MUCH_MEMORY
    }

    private static final int NODES = 5_000;
    private static final int PODS = 100_000;
    private static final ResourceName SLICE = new ResourceName("nvidia.com/mig-1g.10gb");
    private static final ResourceName AMD = new ResourceName("amd.com/gpu");

    @Param
    private Question question = Question.ONE_GPU;

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private FullCluster cluster;

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private Ledger ledger;

    private Amounts need = Amounts.NONE;
    private NodeConstraints constraints = NodeConstraints.NONE;
    private long version = 2;
    private int next;

    @Setup
    public void prepare() {
        cluster = new FullCluster(SampleCluster.nodes(NODES), PODS);
        ledger = cluster.told(1);
        need = need();
        constraints = constraints();
    }

    private Amounts need() {
        return switch (question) {
            case ONE_GPU, TOLERANT, BY_ZONE, BY_HOSTNAME -> pod(2_000).plus(Amounts.of(ResourceName.NVIDIA_GPU, 1));
            case EIGHT_GPUS -> pod(16_000).plus(Amounts.of(ResourceName.NVIDIA_GPU, 8));
            case NO_PROCESSOR -> pod(1_000_000).plus(Amounts.of(ResourceName.NVIDIA_GPU, 1));
            case EXHAUSTED -> pod(2_000).plus(Amounts.of(AMD, 9));
            case TWO_DEVICES ->
                pod(2_000).plus(Amounts.of(ResourceName.NVIDIA_GPU, 1)).plus(Amounts.of(SLICE, 1));
            case NO_GPU -> pod(2_000);
            case MUCH_MEMORY -> pod(100).plus(Amounts.of(new ResourceName("ephemeral-storage"), 1L << 45));
        };
    }

    private static Amounts pod(long cpu) {
        return Amounts.of(ResourceName.CPU, cpu)
                .plus(Amounts.of(ResourceName.MEMORY, 1L << 30))
                .plus(Amounts.of(ResourceName.PODS, 1));
    }

    private NodeConstraints constraints() {
        Toleration everything = new Toleration("", Toleration.TolerationOperator.EXISTS, "", "");
        return switch (question) {
            case TOLERANT -> new NodeConstraints(null, Map.of(), null, List.of(everything));
            case BY_ZONE -> selecting("topology.kubernetes.io/zone", "zone-1");
            case BY_HOSTNAME -> selecting("kubernetes.io/hostname", SampleNodes.name(NODES / 2));
            default -> NodeConstraints.NONE;
        };
    }

    private static NodeConstraints selecting(String key, String value) {
        return new NodeConstraints(null, Map.of(key, value), null, List.of());
    }

    @Benchmark
    public boolean isFree() {
        return ledger.isFree(need, constraints);
    }

    /** A decision that is reserved, and its pod seen bound and then removed. */
    @Benchmark
    public long lifeOfAPod() {
        String stamp = "stamp";
        boolean room = ledger.isFree(need, constraints);
        ledger.assume(new PlacementRequest(stamp, "team-1", need, constraints, room), Instant.EPOCH);
        next = (next + 1) % PODS;
        Pod known = cluster.pod(next, ++version);
        Pod pod = new Pod(known.id(), "team-1/a", known.place(), need, stamp, version);
        var _ = ledger.apply(new PodEvent.PodSeen(pod));
        var _ = ledger.apply(new PodEvent.PodRemoved(pod.id(), pod.name(), pod.stamp(), ++version));
        var _ = ledger.apply(new PodEvent.PodSeen(cluster.pod(next, ++version)));
        return ledger.freeOf(ResourceName.NVIDIA_GPU);
    }

    /** What a kubelet reports of a pod, with nothing in it that counts. */
    @Benchmark
    public boolean heartbeat() {
        next = (next + 1) % PODS;
        return ledger.apply(new PodEvent.PodSeen(cluster.pod(next, ++version)));
    }

    @Benchmark
    public Pod makingThePodOfAHeartbeat() {
        next = (next + 1) % PODS;
        return cluster.pod(next, ++version);
    }
}
