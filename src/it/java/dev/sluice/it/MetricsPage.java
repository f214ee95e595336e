package dev.sluice.it;

import java.util.Arrays;
import java.util.List;

/** What a program said at {@code /metrics}. */
record MetricsPage(List<String> lines) {

    static MetricsPage of(String text) {
        return new MetricsPage(text.lines()
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList());
    }

    /** The sum of all series of that name that carry all of these labels, each written {@code name="value"}. */
    double sum(String name, String... labels) {
        return lines.stream()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .filter(line -> Arrays.stream(labels).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    boolean has(String name) {
        return lines.stream().anyMatch(line -> line.startsWith(name + " ") || line.startsWith(name + "{"));
    }
}
