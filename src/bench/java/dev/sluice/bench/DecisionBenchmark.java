package dev.sluice.bench;

import dev.sluice.admission.Decider;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.ClusterSnapshot;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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

/** The decision alone, by kind of pod and size of the cluster: what it costs must not grow with the nodes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx2g"})
public class DecisionBenchmark {

    private static final NamespacePolicy POLICY = NamespacePolicy.of(Policy.DEFAULT);

    /** As many pods take turns, for those that name nodes each with another node. */
    private static final int PODS = 64;

    @Param({"500", "5000", "50000"})
    private int nodes;

    @Param({
        "OFFERED",
        "FALLS_BACK",
        "BY_PRODUCT",
        "BY_ZONE",
        "BY_HOSTNAME",
        "BY_NODE_NAME",
        "NOT_OFFERED",
        "TWO_RESOURCES"
    })
    private PodKind kind = PodKind.OFFERED;

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private ClusterSnapshot cluster;

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private PodRequest[] pods;

    private int next;

    @Setup
    public void prepare() {
        cluster = SampleCluster.ledger(SampleCluster.nodes(nodes)).snapshot();
        pods = IntStream.range(0, PODS)
                .mapToObj(number -> SamplePods.pod(kind, SampleNodes.name(number * (nodes / PODS))))
                .toArray(PodRequest[]::new);
    }

    @Benchmark
    public Verdict decide() {
        next = (next + 1) % PODS;
        return Decider.decide(pods[next], POLICY, cluster);
    }
}
