package dev.sluice.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The text formats in which metrics are read: that of Prometheus, and OpenMetrics for those that ask for it. */
public enum ScrapeFormat {
    PROMETHEUS(PrometheusTextFormatWriter.CONTENT_TYPE, PrometheusTextFormatWriter.create()),
    OPEN_METRICS(OpenMetricsTextFormatWriter.CONTENT_TYPE, OpenMetricsTextFormatWriter.create());

    private static final String OPEN_METRICS_TYPE = "application/openmetrics-text";

    private final String contentType;

    @SuppressWarnings("ImmutableEnumChecker") // a writer holds its options only
    private final ExpositionFormatWriter writer;

    ScrapeFormat(String contentType, ExpositionFormatWriter writer) {
        this.contentType = contentType;
        this.writer = writer;
    }

    /**
     * The format for a client with this {@code Accept} header. A client that lists OpenMetrics gets it, whatever its
     * q-values.
     */
    public static ScrapeFormat accepted(@Nullable String header) {
        return header != null && header.contains(OPEN_METRICS_TYPE) ? OPEN_METRICS : PROMETHEUS;
    }

    public String contentType() {
        return contentType;
    }

    /** The numbers in this format, in UTF-8. */
    public byte[] of(PartNumbers numbers) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            writer.write(text, MetricText.of(numbers), EscapingScheme.ALLOW_UTF8);
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return text.toByteArray();
    }
}
