package dev.sluice.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import dev.sluice.metrics.MetricValue.SingleNumber;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The counters and gauges of one part of the gateway, with their labels. Each value is a Dropwizard metric.
 * Dropwizard's own registry is not used, because it has no labels. It is thread-safe.
 */
public final class MetricFamilies {

    private static final double MILLIS_PER_SECOND = 1e3;

    private final Map<MetricName, Map<Labels, Metric>> families = new ConcurrentHashMap<>();

    /**
     * Returns the counter with these labels (name, value, name, value, …). If it does not exist yet, it is created with
     * the value 0.
     */
    public Counter counter(MetricName name, String... labels) {
        return (Counter) family(name).computeIfAbsent(Labels.of(labels), _ -> new Counter());
    }

    /**
     * Adds a gauge for a value that is stored elsewhere: a number or a {@link MetricValue}. The value is read at each
     * scrape.
     */
    public void show(MetricName name, Gauge<?> value, String... labels) {
        family(name).put(Labels.of(labels), value);
    }

    /**
     * Adds a gauge that shows a point in time, in seconds since 1970. The gauge shows 0 while {@code moment} returns
     * {@link Instant#MIN}.
     */
    public void moment(MetricName name, Supplier<Instant> moment, String... labels) {
        show(name, () -> epochSeconds(moment.get()), labels);
    }

    private static double epochSeconds(Instant moment) {
        return moment.equals(Instant.MIN) ? 0 : moment.toEpochMilli() / MILLIS_PER_SECOND;
    }

    private Map<Labels, Metric> family(MetricName name) {
        return families.computeIfAbsent(name, _ -> new ConcurrentHashMap<>());
    }

    /** Returns the current values of all series. */
    public PartMetricValues numbers() {
        Map<MetricName, Map<Labels, MetricValue>> now = new EnumMap<>(MetricName.class);
        families.forEach((name, series) -> {
            Map<Labels, MetricValue> measures = new HashMap<>();
            series.forEach((labels, metric) -> measures.put(labels, measure(metric)));
            now.put(name, measures);
        });
        return new PartMetricValues(now);
    }

    private static MetricValue measure(Metric metric) {
        Object value = metric instanceof Gauge<?> gauge ? gauge.getValue() : ((Counter) metric).getCount();
        return value instanceof MetricValue measure ? measure : new SingleNumber(((Number) value).doubleValue());
    }
}
