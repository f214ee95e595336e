package dev.sluice.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The text formats of metrics: the text format of Prometheus, and OpenMetrics for clients that ask for it. */
public enum ScrapeFormat {
    PROMETHEUS(PrometheusTextFormatWriter.CONTENT_TYPE, PrometheusTextFormatWriter.create()),
    OPEN_METRICS(OpenMetricsTextFormatWriter.CONTENT_TYPE, OpenMetricsTextFormatWriter.create());

    private static final String OPEN_METRICS_TYPE = "application/openmetrics-text";
    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern SEMICOLON = Pattern.compile(";");
    private static final Pattern WEIGHT = Pattern.compile("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)");

    private final String contentType;

    @SuppressWarnings(
            "ImmutableEnumChecker") // The writer holds only options and no state of a scrape, so all scrapes share it.
    private final ExpositionFormatWriter writer;

    ScrapeFormat(String contentType, ExpositionFormatWriter writer) {
        this.contentType = contentType;
        this.writer = writer;
    }

    /**
     * Returns the format for a client with this {@code Accept} header. It is OpenMetrics if the header gives
     * OpenMetrics at least the weight of plain text (RFC 9110, 12.5.1), because clients that can read OpenMetrics name
     * both formats.
     */
    public static ScrapeFormat accepted(@Nullable String header) {
        double openMetrics = weight(header, OPEN_METRICS_TYPE).orElse(0);
        double text = Stream.of("text/plain", "text/*", "*/*")
                .flatMapToDouble(range -> weight(header, range).stream())
                .findFirst()
                .orElse(0);
        return openMetrics > 0 && openMetrics >= text ? OPEN_METRICS : PROMETHEUS;
    }

    /** Returns the greatest weight that the header gives to this media range; empty if the header does not name it. */
    private static OptionalDouble weight(@Nullable String header, String range) {
        return header == null
                ? OptionalDouble.empty()
                : COMMA.splitAsStream(header.toLowerCase(Locale.ROOT))
                        .map(SEMICOLON::split)
                        .filter(parts -> parts[0].strip().equals(range))
                        .mapToDouble(ScrapeFormat::weight)
                        .max();
    }

    /** Returns the weight of a media range: 1 if none is given, and 0 if it is not valid. */
    private static double weight(String[] parts) {
        return Stream.of(parts)
                .skip(1)
                .map(String::strip)
                .filter(parameter -> parameter.startsWith("q="))
                .mapToDouble(parameter ->
                        WEIGHT.matcher(parameter).matches() ? Double.parseDouble(parameter.substring(2)) : 0)
                .findFirst()
                .orElse(1);
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
