package dev.sluice.cli;

import dev.sluice.cli.console.TerminalPage;
import dev.sluice.text.CountText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints each metric with its help text, followed by its series. Series whose value is 0 are only counted, unless the
 * value was different in the previous call.
 */
final class MetricsTable {

    /**
     * The maximum number of significant digits of a printed value below 10,000. A larger value has more digits: its
     * whole part and {@link #PLACES} decimal places.
     */
    private static final int DIGITS = 7;

    /**
     * The number of decimal places that even a large value keeps. Many metrics are times in seconds with a resolution
     * of milliseconds.
     */
    private static final int PLACES = 3;

    private static final String INDENT = "    ";
    private static final String OURS = "gpu_webhook_";

    private final TerminalPage page;
    private Map<String, Double> before = Map.of();

    MetricsTable(TerminalPage page) {
        this.page = page;
    }

    /**
     * Prints the metrics. The metrics of Sluice come first. Each value is followed by its change since the last call.
     */
    void print(List<MetricsCommandFamily> families) {
        Map<String, Double> now = new HashMap<>();
        List<MetricsCommandFamily> ordered = families.stream()
                .sorted(Comparator.comparing(family -> !family.name().startsWith(OURS)))
                .toList();
        for (MetricsCommandFamily family : ordered) {
            page.words("", INDENT, page.style().strong(family.name()).then("  " + family.help()));
            int zeros = 0;
            for (Map.Entry<String, Double> one : family.series().entrySet()) {
                now.put(one.getKey(), one.getValue());
                if (one.getValue() == 0 && before.getOrDefault(one.getKey(), 0.0) == 0) {
                    zeros++;
                } else {
                    page.line(INDENT + row(family.name(), one.getKey(), one.getValue()));
                }
            }
            if (zeros > 0) {
                page.line(page.style()
                        .faint(CountText.of(zeros, "series", "series") + " at zero")
                        .after(INDENT));
            }
        }
        before = now;
    }

    private String row(String family, String series, double value) {
        int labels = series.indexOf('{') < 0 ? series.length() : series.indexOf('{');
        String part = series.substring(0, labels).equals(family + "_count")
                ? "count"
                : series.substring(0, labels).equals(family + "_sum") ? "sum" : "";
        String label = part + series.substring(labels);
        String name = label.isEmpty() ? "" : label + "  ";
        return name + text(value) + added(value, before.getOrDefault(series, value));
    }

    /**
     * Returns the change of the value in brackets. Returns an empty text if the value has not changed, or if there is
     * no earlier value.
     */
    private static String added(double value, double former) {
        if (value == former || !Double.isFinite(value) || !Double.isFinite(former)) {
            return "";
        }
        BigDecimal change = BigDecimal.valueOf(value).subtract(BigDecimal.valueOf(former));
        return " (" + (change.signum() > 0 ? "+" : "") + text(change) + ")";
    }

    private static String text(double value) {
        return Double.isFinite(value) ? text(BigDecimal.valueOf(value)) : Double.toString(value);
    }

    /** Returns the value as text. Its whole part is never rounded. */
    private static String text(BigDecimal value) {
        int whole = Math.max(0, value.precision() - value.scale());
        return value.round(new MathContext(Math.max(DIGITS, whole + PLACES)))
                .stripTrailingZeros()
                .toPlainString();
    }
}
