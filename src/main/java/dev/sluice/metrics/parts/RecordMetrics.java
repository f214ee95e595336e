package dev.sluice.metrics.parts;

import com.codahale.metrics.Counter;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.request.Policy;
import dev.sluice.bus.BusMessageQueue;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.LatencyHistogram;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecord.PodWithoutGpu;
import dev.sluice.record.ReviewRecordBatch;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts the decisions that are published on {@link Topic#DECISIONS}. It is not thread-safe. */
public final class RecordMetrics implements PartMetrics {

    private final MetricFamilies families = new MetricFamilies();
    private final Map<PodRequestReplacement, Counter> fallbacks = new HashMap<>();
    private final DecisionCounters decisions = new DecisionCounters(families);
    /**
     * The counters of decisions by a policy that only observes. Such decisions neither change nor refuse a pod. The
     * counters are created as soon as there is such a policy.
     */
    private @Nullable DecisionCounters observed;

    private final Counter withoutGpu = families.counter(MetricName.WITHOUT_GPU);
    private final LatencyHistogram durations = new LatencyHistogram();

    /** Creates the metrics. The series of all fallbacks that {@code policy} allows exist from the start. */
    public RecordMetrics(ActivePolicy policy) {
        families.show(MetricName.DURATION, durations);
        expect(policy.policies());
    }

    @Override
    public String part() {
        return "records";
    }

    @Override
    public MetricFamilies families() {
        return families;
    }

    @Override
    public void listen(Vertx vertx) {
        Topic.DECISIONS.subscribe(vertx, this::count);
        Topic.POLICIES.subscribe(vertx, active -> expect(active.policies()));
    }

    /** Adds a series for the number of records that were dropped because the queue of this consumer was full. */
    public void watch(String consumer, BusMessageQueue<ReviewRecord> inbox) {
        families.show(MetricName.RECORDS_DROPPED, inbox::dropped, "consumer", consumer);
    }

    private void expect(Policies policies) {
        if (policies.observe()) {
            var _ = observed();
        }
        policies.all()
                .forEach(policy -> policy.chains()
                        .byHead()
                        .forEach((from, chain) -> chain.forEach(to -> {
                            var _ = fallback(new PodRequestReplacement(from, to));
                        })));
    }

    void count(ReviewRecordBatch batch) {
        for (ReviewRecord review : batch.records()) {
            durations.add(review.nanos());
            switch (review) {
                case PodWithoutGpu _ -> withoutGpu.inc();
                case DecisionRecord decision -> count(decision);
            }
        }
    }

    private void count(DecisionRecord decision) {
        DecisionCounters counters = decision.isObserved() ? observed() : decisions;
        counters.of(decision.kind(), decision.reason()).inc();
        if (!decision.isObserved() && !decision.pod().head().dryRun()) {
            decision.moves().forEach(move -> fallback(move).inc());
        }
    }

    private DecisionCounters observed() {
        if (observed == null) {
            observed = new DecisionCounters(families, "enforcement", Policy.Enforcement.OBSERVE.word());
        }
        return observed;
    }

    private Counter fallback(PodRequestReplacement move) {
        return fallbacks.computeIfAbsent(
                move,
                _ -> families.counter(
                        MetricName.FALLBACK,
                        "from",
                        move.asked().value(),
                        "to",
                        move.given().value()));
    }
}
