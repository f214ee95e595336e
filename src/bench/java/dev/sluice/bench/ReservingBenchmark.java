package dev.sluice.bench;

import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DecideRequest;
import dev.sluice.bus.Service;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.lease.OneHolder;
import dev.sluice.ledger.Ledger;
import dev.sluice.record.RecordedReviewHead.PodOwner;
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

/**
 * A whole decision of availability mode in a nearly full cluster, from the question to the stamped patch and the
 * reservation, which is ended again by the news that the pod is gone.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx1g"})
public class ReservingBenchmark {

    private static final int NODES = 5_000;
    private static final int RUNNING = 100_000;
    private static final int PODS = 64;
    private static final String NAMESPACE = "team-1";
    private static final NamespacePolicy POLICY =
            new NamespacePolicy(SampleCluster.AVAILABILITY, Injector.NONE, NAMESPACE);

    @Param({"OFFERED", "FALLS_BACK", "BY_PRODUCT", "BY_ZONE", "BY_HOSTNAME", "NOT_OFFERED", "TWO_RESOURCES"})
    private PodKind kind = PodKind.OFFERED;

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private Ledger ledger;

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private OneHolder holder;

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private PodRequest[] pods;

    private long version = 2;

    @Setup
    public void prepare() {
        ledger = new FullCluster(SampleCluster.nodes(NODES), RUNNING).told(1);
        holder = new OneHolder(ledger);
        pods = IntStream.range(0, PODS)
                .mapToObj(number -> SamplePods.pod(kind, SampleNodes.name(number * (NODES / PODS))))
                .toArray(PodRequest[]::new);
    }

    @Benchmark
    public Verdict decide() {
        version++;
        PodRequest pod = pods[(int) (version % PODS)];
        String uid = Long.toString(version);
        Verdict verdict = holder.decide(new DecideRequest(
                uid,
                "train",
                PodOwner.NONE,
                DecideRequest.ReviewEffect.REAL,
                pod,
                POLICY,
                BusRequestDeadline.in(Service.PATIENCE)));
        PodId id = new PodId(version, version);
        var _ = ledger.apply(new PodEvent.PodRemoved(id, NAMESPACE + "/train", stamp(verdict), version));
        return verdict;
    }

    /** It is written last. */
    private static String stamp(Verdict verdict) {
        return verdict instanceof Verdict.Allowed allowed
                        && allowed.patch().getLast() instanceof PatchOperation.Add add
                        && add.value() instanceof PatchOperation.Text stamp
                ? stamp.text()
                : "";
    }
}
