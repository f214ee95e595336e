package dev.sluice.cli;

import dev.sluice.cli.console.TerminalPage;
import dev.sluice.text.CountText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Prints each metric with its help text, followed by its series. Series with the value 0 are only counted. */
final class MetricsTable {

    /** The precision of printed values. Seven digits are enough for bytes and seconds. */
    private static final MathContext SEVEN_DIGITS = new MathContext(7);

    private static final String INDENT = "    ";

    private final TerminalPage page;
    private Map<String, Double> before = Map.of();

    MetricsTable(TerminalPage page) {
        this.page = page;
    }

    /** Prints the metrics. After each value there is its change since the last call. */
    void print(List<MetricsCommandFamily> families) {
        Map<String, Double> now = new HashMap<>();
        for (MetricsCommandFamily family : families) {
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
        double change = value - before.getOrDefault(series, value);
        return name + text(value) + added(change);
    }

    /**
     * Returns the change in brackets. Returns an empty text if the value has not changed, or if there is no earlier
     * value.
     */
    private static String added(double change) {
        return change == 0 || Double.isNaN(change) ? "" : " (" + (change > 0 ? "+" : "") + text(change) + ")";
    }

    private static String text(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value)
                        .round(SEVEN_DIGITS)
                        .stripTrailingZeros()
                        .toPlainString()
                : Double.toString(value);
    }
}
