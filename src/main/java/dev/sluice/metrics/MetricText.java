package dev.sluice.metrics;

import dev.sluice.metrics.MetricValue.Distribution;
import dev.sluice.metrics.MetricValue.SingleNumber;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.List;
import java.util.Map;

/** Converts the values of the gateway to the types of Prometheus' exposition library, which writes the text formats. */
final class MetricText {

    private static final List<Unit> UNITS = List.of(Unit.SECONDS, Unit.BYTES);

    private MetricText() {}

    static MetricSnapshots of(PartMetricValues numbers) {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        numbers.families().forEach((name, series) -> all.metricSnapshot(family(name, series)));
        return all.build();
    }

    private static MetricSnapshot family(MetricName name, Map<Labels, MetricValue> series) {
        return switch (name.kind()) {
            case COUNTER -> counters(name, series);
            case GAUGE -> gauges(name, series);
            case HISTOGRAM -> histograms(name, series);
            case SUMMARY -> summaries(name, series);
            case INFO -> facts(name, series);
        };
    }

    /**
     * Sets the name, the help text and the unit. The name of a metric ends with its unit, and OpenMetrics repeats the
     * unit on a separate line.
     */
    private static <B extends MetricSnapshot.Builder<B>> B named(MetricName name, B family) {
        UNITS.stream().filter(unit -> name.text().endsWith("_" + unit)).forEach(family::unit);
        return family.name(name.text()).help(name.help());
    }

    private static MetricSnapshot counters(MetricName name, Map<Labels, MetricValue> series) {
        CounterSnapshot.Builder family = named(name, CounterSnapshot.builder());
        series.forEach((labels, measure) -> family.dataPoint(CounterDataPointSnapshot.builder()
                .labels(labels)
                .value(((SingleNumber) measure).value())
                .build()));
        return family.build();
    }

    private static MetricSnapshot gauges(MetricName name, Map<Labels, MetricValue> series) {
        GaugeSnapshot.Builder family = named(name, GaugeSnapshot.builder());
        series.forEach((labels, measure) -> family.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(labels)
                .value(((SingleNumber) measure).value())
                .build()));
        return family.build();
    }

    private static MetricSnapshot facts(MetricName name, Map<Labels, MetricValue> series) {
        InfoSnapshot.Builder family = named(name, InfoSnapshot.builder());
        series.keySet()
                .forEach(labels -> family.dataPoint(
                        InfoDataPointSnapshot.builder().labels(labels).build()));
        return family.build();
    }

    private static MetricSnapshot summaries(MetricName name, Map<Labels, MetricValue> series) {
        SummarySnapshot.Builder family = named(name, SummarySnapshot.builder());
        series.forEach((labels, measure) -> {
            Distribution distribution = (Distribution) measure;
            family.dataPoint(SummaryDataPointSnapshot.builder()
                    .labels(labels)
                    .count(distribution.count())
                    .sum(distribution.sum())
                    .build());
        });
        return family.build();
    }

    private static MetricSnapshot histograms(MetricName name, Map<Labels, MetricValue> series) {
        HistogramSnapshot.Builder family = named(name, HistogramSnapshot.builder());
        series.forEach((labels, measure) -> {
            Distribution distribution = (Distribution) measure;
            family.dataPoint(HistogramDataPointSnapshot.builder()
                    .labels(labels)
                    .classicHistogramBuckets(
                            ClassicHistogramBuckets.of(distribution.upperBounds(), distribution.counts()))
                    .sum(distribution.sum())
                    .build());
        });
        return family.build();
    }
}
