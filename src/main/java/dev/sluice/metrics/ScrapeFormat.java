package dev.sluice.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The text formats of metrics: the text format of Prometheus, and OpenMetrics for clients that ask for it. */
public enum ScrapeFormat {
    PROMETHEUS(PrometheusTextFormatWriter.CONTENT_TYPE, PrometheusTextFormatWriter.create()),
    OPEN_METRICS(OpenMetricsTextFormatWriter.CONTENT_TYPE, OpenMetricsTextFormatWriter.create());

    private static final String OPEN_METRICS_TYPE = "application/openmetrics-text";

    private final String contentType;

    @SuppressWarnings(
            "ImmutableEnumChecker") // The writer holds only options and no state of a scrape, so all scrapes share it.
    private final ExpositionFormatWriter writer;

    ScrapeFormat(String contentType, ExpositionFormatWriter writer) {
        this.contentType = contentType;
        this.writer = writer;
    }

    /**
     * Returns the format for a client with this {@code Accept} header. OpenMetrics is chosen if its weight is at least
     * the weight of plain text (RFC 9110, 12.5.1). A client that can read OpenMetrics names both formats.
     */
    public static ScrapeFormat accepted(@Nullable String header) {
        ScrapeAcceptHeader accept = new ScrapeAcceptHeader(header);
        double openMetrics = accept.weight(OPEN_METRICS_TYPE);
        double text = accept.weight("text/plain", "text/*", "*/*");
        return openMetrics > 0 && openMetrics >= text ? OPEN_METRICS : PROMETHEUS;
    }

    public String contentType() {
        return contentType;
    }

    /** Returns the values as text in this format, encoded in UTF-8. */
    public byte[] of(PartMetricValues numbers) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            writer.write(text, MetricText.of(numbers), EscapingScheme.ALLOW_UTF8);
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return text.toByteArray();
    }
}
