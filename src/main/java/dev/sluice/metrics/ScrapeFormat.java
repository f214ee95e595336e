package dev.sluice.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text formats in which metrics are read: that of Prometheus, and OpenMetrics for those that ask for it. */
public enum ScrapeFormat {
    PROMETHEUS(PrometheusTextFormatWriter.CONTENT_TYPE, PrometheusTextFormatWriter.create()),
    OPEN_METRICS(OpenMetricsTextFormatWriter.CONTENT_TYPE, OpenMetricsTextFormatWriter.create());

    private static final String OPEN_METRICS_TYPE = "application/openmetrics-text";
    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern WEIGHT = Pattern.compile(";\\s*q=([01](?:\\.[0-9]{0,3})?)\\s*(?:;|$)");

    private final String contentType;

    @SuppressWarnings("ImmutableEnumChecker") // a writer holds its options only
    private final ExpositionFormatWriter writer;

    ScrapeFormat(String contentType, ExpositionFormatWriter writer) {
        this.contentType = contentType;
        this.writer = writer;
    }

    /**
     * The format for a client with this {@code Accept} header: OpenMetrics if it is named and not weighted below text
     * (RFC 9110, 12.5.1), because those who can read it name both.
     */
    public static ScrapeFormat accepted(@Nullable String header) {
        double openMetrics = weight(header, OPEN_METRICS_TYPE);
        return openMetrics > 0 && openMetrics >= weight(header, "text/plain") ? OPEN_METRICS : PROMETHEUS;
    }

    /** The greatest weight that the header gives this type; 0 if it does not name it. */
    private static double weight(@Nullable String header, String type) {
        return header == null
                ? 0
                : COMMA.splitAsStream(header)
                        .map(range -> range.strip().toLowerCase(Locale.ROOT))
                        .filter(range -> range.equals(type) || range.startsWith(type + ";"))
                        .mapToDouble(ScrapeFormat::weight)
                        .max()
                        .orElse(0);
    }

    private static double weight(String range) {
        Matcher weight = WEIGHT.matcher(range);
        return weight.find() ? Double.parseDouble(weight.group(1)) : 1;
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
