package dev.sluice.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * The counters and gauges of the gateway with their labels. Dropwizard counts; its registry knows no labels, so that
 * Prometheus' own registry reads the values. For all threads.
 */
final class MetricFamilies {

    private final PrometheusRegistry registry;
    private final Map<MetricName, Map<Labels, Metric>> families = new ConcurrentHashMap<>();

    MetricFamilies(PrometheusRegistry registry) {
        this.registry = registry;
    }

    /** The counter with these labels (name, value, name, value, …), which begins at 0. */
    Counter counter(MetricName name, String... labels) {
        return (Counter) family(name, MetricFamilies::counters).computeIfAbsent(Labels.of(labels), _ -> new Counter());
    }

    /** Shows a counter that is kept elsewhere. */
    void counter(MetricName name, Gauge<Number> count, String... labels) {
        family(name, MetricFamilies::counters).put(Labels.of(labels), count);
    }

    void gauge(MetricName name, Gauge<Number> value, String... labels) {
        family(name, MetricFamilies::gauges).put(Labels.of(labels), value);
    }

    private Map<Labels, Metric> family(
            MetricName name, BiFunction<MetricName, Map<Labels, Metric>, MetricSnapshot> collector) {
        return families.computeIfAbsent(name, _ -> {
            Map<Labels, Metric> series = new ConcurrentHashMap<>();
            registry.register(() -> collector.apply(name, series));
            return series;
        });
    }

    private static double value(Metric metric) {
        return metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number
                ? number.doubleValue()
                : ((Counter) metric).getCount();
    }

    private static MetricSnapshot counters(MetricName name, Map<Labels, Metric> series) {
        CounterSnapshot.Builder family =
                CounterSnapshot.builder().name(name.text()).help(name.help());
        series.forEach((labels, metric) -> family.dataPoint(CounterDataPointSnapshot.builder()
                .labels(labels)
                .value(value(metric))
                .build()));
        return family.build();
    }

    private static MetricSnapshot gauges(MetricName name, Map<Labels, Metric> series) {
        GaugeSnapshot.Builder family = GaugeSnapshot.builder().name(name.text()).help(name.help());
        series.forEach((labels, metric) -> family.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(labels)
                .value(value(metric))
                .build()));
        return family.build();
    }
}
