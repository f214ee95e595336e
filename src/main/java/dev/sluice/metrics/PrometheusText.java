package dev.sluice.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A Dropwizard registry as Prometheus reads it; its own exporters lose labels and buckets. */
public final class PrometheusText {

    public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private PrometheusText() {}

    /** The registry in the text format of Prometheus, UTF-8. */
    public static byte[] of(MetricRegistry registry) {
        Map<String, Metric> series = new TreeMap<>(registry.getMetrics());
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.create()
                    .write(
                            text,
                            new MetricSnapshots(Stream.of(MetricName.values())
                                    .flatMap(name -> family(name, series).stream())
                                    .toList()),
                            EscapingScheme.ALLOW_UTF8);
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return text.toByteArray();
    }

    private static Optional<MetricSnapshot> family(MetricName name, Map<String, Metric> all) {
        Map<String, Metric> series = new TreeMap<>(all);
        series.keySet().removeIf(key -> !name.isOf(key));
        MetricMetadata metadata = new MetricMetadata(name.text(), name.help());
        return series.values().stream().findFirst().map(first -> switch (first) {
            case Counter _ -> counters(metadata, series);
            case Latencies _ -> histograms(metadata, series);
            default -> gauges(metadata, series);
        });
    }

    private static MetricSnapshot counters(MetricMetadata metadata, Map<String, Metric> series) {
        CounterSnapshot.Builder family =
                CounterSnapshot.builder().name(metadata.getName()).help(metadata.getHelp());
        series.forEach((key, metric) -> {
            if (metric instanceof Counter counter) {
                family.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                        .labels(MetricName.labels(key))
                        .value((double) counter.getCount())
                        .build());
            }
        });
        return family.build();
    }

    private static MetricSnapshot gauges(MetricMetadata metadata, Map<String, Metric> series) {
        GaugeSnapshot.Builder family =
                GaugeSnapshot.builder().name(metadata.getName()).help(metadata.getHelp());
        series.forEach((key, metric) -> {
            if (metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number) {
                family.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                        .labels(MetricName.labels(key))
                        .value(number.doubleValue())
                        .build());
            }
        });
        return family.build();
    }

    private static MetricSnapshot histograms(MetricMetadata metadata, Map<String, Metric> series) {
        HistogramSnapshot.Builder family =
                HistogramSnapshot.builder().name(metadata.getName()).help(metadata.getHelp());
        series.values().forEach(metric -> {
            if (metric instanceof Latencies latencies) {
                family.dataPoint(latencies.snapshot());
            }
        });
        return family.build();
    }
}
