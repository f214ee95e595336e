package dev.sluice.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A metric with its series, parsed from the text format of Prometheus.
 *
 * @param series the value of each series, by its name and labels, in the order of the text
 */
record MetricsCommandFamily(String name, String help, Map<String, Double> series) {

    private static final String HELP = "# HELP ";

    /** Returns the metrics in a scrape. Lines that are neither a series nor a help text are ignored. */
    static List<MetricsCommandFamily> of(String page) {
        List<MetricsCommandFamily> families = new ArrayList<>();
        for (String line : page.lines().toList()) {
            int end = line.indexOf(' ', HELP.length());
            if (line.startsWith(HELP) && end > 0) {
                families.add(new MetricsCommandFamily(
                        line.substring(HELP.length(), end), line.substring(end + 1), new LinkedHashMap<>()));
            } else if (!line.startsWith("#") && !families.isEmpty()) {
                families.getLast().add(line);
            }
        }
        return families;
    }

    private void add(String line) {
        int blank = line.lastIndexOf(' ');
        if (blank > 0 && line.startsWith(name)) {
            try {
                series.put(line.substring(0, blank), Double.parseDouble(line.substring(blank + 1)));
            } catch (NumberFormatException _) {
                // The line is not valid and is ignored. A gateway writes no such line, but the text may come from
                // another program.
            }
        }
    }
}
