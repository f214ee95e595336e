package dev.sluice.bench;

import dev.sluice.admission.Decider;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.kube.decode.NotAReviewException;
import dev.sluice.kube.decode.ReviewDecoder;
import dev.sluice.kube.decode.ReviewEncoder;
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

/**
 * One thread's work for a review, from bytes to bytes, at 5,000 nodes; what HTTP, TLS and the log add is not in it. The
 * bodies all differ: with one repeated body, caches of field names would look good that real traffic only fills.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 2,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx1g"})
public class ReviewBenchmark {

    private static final int BODIES = 8_192;
    private static final int NODES = 5_000;

    private static final List<PodKind> MIXED =
            List.of(PodKind.FALLS_BACK, PodKind.OFFERED, PodKind.BY_PRODUCT, PodKind.FALLS_BACK, PodKind.NO_GPU);

    /** Which pods ask; of {@code MIXED} two in five change, two stay, one has no GPU. */
    public enum Mix {
        MIXED,
        CHANGED,
        UNCHANGED,
        NO_GPU;

        private byte[] body(int number) {
            PodKind kind = switch (this) {
                case MIXED -> ReviewBenchmark.MIXED.get(number % ReviewBenchmark.MIXED.size());
                case CHANGED -> PodKind.FALLS_BACK;
                case UNCHANGED -> PodKind.OFFERED;
                case NO_GPU -> PodKind.NO_GPU;
            };
            return SamplePods.review(kind, number, "");
        }
    }

    @Param
    private Mix mix = Mix.MIXED;

    private final byte[][] bodies = new byte[BODIES][];
    private final AdmissionReview[] reviews = new AdmissionReview[BODIES];
    private final Verdict[] verdicts = new Verdict[BODIES];
    private final ReviewDecoder decoder = new ReviewDecoder();
    private final ClusterSnapshot cluster =
            SampleCluster.ledger(SampleCluster.nodes(NODES)).snapshot();
    private int next;

    /** What single steps start from is made before. */
    @Setup
    public void prepare() throws NotAReviewException {
        for (int number = 0; number < BODIES; number++) {
            bodies[number] = mix.body(number);
            reviews[number] = decoder.decode(bodies[number]);
            verdicts[number] = verdict(reviews[number]);
        }
    }

    private int turn() {
        next = (next + 1) % BODIES;
        return next;
    }

    @Benchmark
    public byte[] review() throws NotAReviewException {
        AdmissionReview review = decoder.decode(bodies[turn()]);
        Verdict verdict = verdict(review);
        return ReviewEncoder.encode(review.uid(), verdict, Wording.of(verdict));
    }

    @Benchmark
    public AdmissionReview decode() throws NotAReviewException {
        return decoder.decode(bodies[turn()]);
    }

    @Benchmark
    public Verdict decide() {
        return verdict(reviews[turn()]);
    }

    @Benchmark
    public byte[] encode() {
        int number = turn();
        return ReviewEncoder.encode(reviews[number].uid(), verdicts[number], Wording.of(verdicts[number]));
    }

    private Verdict verdict(AdmissionReview review) {
        return switch (review.object()) {
            case AdmissionReview.PodObject.ReadPod(PodRequest pod) ->
                Decider.decide(pod, ActivePolicy.DEFAULT.forNamespace(review.namespace()), cluster);
            case AdmissionReview.PodObject.Absent _, AdmissionReview.PodObject.UnreadableObject _ ->
                throw new IllegalStateException("a review of this benchmark holds no pod");
        };
    }
}
