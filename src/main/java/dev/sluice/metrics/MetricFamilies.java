package dev.sluice.metrics;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.DoubleSupplier;

/** The counters and gauges of the gateway with their labels. Prometheus reads the values. For all threads. */
final class MetricFamilies {

    private final PrometheusRegistry registry;
    private final Map<MetricName, Map<Labels, DoubleSupplier>> families = new ConcurrentHashMap<>();

    MetricFamilies(PrometheusRegistry registry) {
        this.registry = registry;
    }

    static final class Counter implements DoubleSupplier {

        private final LongAdder count = new LongAdder();

        void increment() {
            count.increment();
        }

        @Override
        public double getAsDouble() {
            return count.sum();
        }
    }

    /** The counter with these labels (name, value, name, value, …), which begins at 0. */
    Counter counter(MetricName name, String... labels) {
        return (Counter) family(name, MetricFamilies::counters).computeIfAbsent(Labels.of(labels), _ -> new Counter());
    }

    /** Shows a counter that is kept elsewhere. */
    void counter(MetricName name, DoubleSupplier count, String... labels) {
        family(name, MetricFamilies::counters).put(Labels.of(labels), count);
    }

    void gauge(MetricName name, DoubleSupplier value, String... labels) {
        family(name, MetricFamilies::gauges).put(Labels.of(labels), value);
    }

    private Map<Labels, DoubleSupplier> family(
            MetricName name, BiFunction<MetricName, Map<Labels, DoubleSupplier>, MetricSnapshot> collector) {
        return families.computeIfAbsent(name, _ -> {
            Map<Labels, DoubleSupplier> series = new ConcurrentHashMap<>();
            registry.register(() -> collector.apply(name, series));
            return series;
        });
    }

    private static MetricSnapshot counters(MetricName name, Map<Labels, DoubleSupplier> series) {
        CounterSnapshot.Builder family =
                CounterSnapshot.builder().name(name.text()).help(name.help());
        series.forEach((labels, value) -> family.dataPoint(CounterDataPointSnapshot.builder()
                .labels(labels)
                .value(value.getAsDouble())
                .build()));
        return family.build();
    }

    private static MetricSnapshot gauges(MetricName name, Map<Labels, DoubleSupplier> series) {
        GaugeSnapshot.Builder family = GaugeSnapshot.builder().name(name.text()).help(name.help());
        series.forEach((labels, value) -> family.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(labels)
                .value(value.getAsDouble())
                .build()));
        return family.build();
    }
}
