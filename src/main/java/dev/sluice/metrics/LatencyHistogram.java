package dev.sluice.metrics;

import com.codahale.metrics.Gauge;
import dev.sluice.metrics.MetricValue.Distribution;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * A histogram of durations. The buckets are the same in all replicas, so the histograms can be summed. It is
 * thread-safe.
 */
public final class LatencyHistogram implements Gauge<Distribution> {

    /**
     * The upper bounds of the buckets in seconds. The smallest is about the duration of a decision in a small cluster.
     * The largest is one second, because the API server warns about slower webhooks.
     */
    private static final List<Double> UPPER_BOUNDS_SECONDS = List.of(
            0.000_01,
            0.000_025,
            0.000_05,
            0.000_1,
            0.000_25,
            0.000_5,
            0.001,
            0.005,
            0.025,
            0.1,
            1.0,
            Double.POSITIVE_INFINITY);

    private static final double NANOS_PER_SECOND = 1e9;

    private final LongAdder[] counts = new LongAdder[UPPER_BOUNDS_SECONDS.size()];
    private final LongAdder sumNanos = new LongAdder();

    public LatencyHistogram() {
        Arrays.setAll(counts, _ -> new LongAdder());
    }

    public void add(long nanos) {
        int bucket = 0;
        while (nanos / NANOS_PER_SECOND > UPPER_BOUNDS_SECONDS.get(bucket)) {
            bucket++;
        }
        counts[bucket].increment();
        sumNanos.add(nanos);
    }

    @Override
    public Distribution getValue() {
        return new Distribution(
                UPPER_BOUNDS_SECONDS,
                Arrays.stream(counts).map(LongAdder::sum).toList(),
                sumNanos.sum() / NANOS_PER_SECOND);
    }
}
