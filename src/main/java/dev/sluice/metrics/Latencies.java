package dev.sluice.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.concurrent.atomic.LongAdder;

/** The histogram of durations, with buckets that can be added up over all replicas. */
final class Latencies implements Collector {

    /** The bounds reach from a decision in a small cluster to one second, of which the API server would warn. */
    private static final double[] UPPER_BOUNDS_SECONDS = {
        0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.005, 0.025, 0.1, 1, Double.POSITIVE_INFINITY
    };

    private static final double NANOS_PER_SECOND = 1e9;

    private final LongAdder[] counts = new LongAdder[UPPER_BOUNDS_SECONDS.length];
    private final LongAdder sumNanos = new LongAdder();

    Latencies() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    void add(long nanos) {
        int bucket = 0;
        while (nanos / NANOS_PER_SECOND > UPPER_BOUNDS_SECONDS[bucket]) {
            bucket++;
        }
        counts[bucket].increment();
        sumNanos.add(nanos);
    }

    @Override
    public MetricSnapshot collect() {
        long[] now = new long[counts.length];
        for (int i = 0; i < now.length; i++) {
            now[i] = counts[i].sum();
        }
        return HistogramSnapshot.builder()
                .name(MetricName.DURATION.text())
                .help(MetricName.DURATION.help())
                .dataPoint(HistogramDataPointSnapshot.builder()
                        .classicHistogramBuckets(ClassicHistogramBuckets.of(UPPER_BOUNDS_SECONDS, now))
                        .sum(sumNanos.sum() / NANOS_PER_SECOND)
                        .build())
                .build();
    }
}
