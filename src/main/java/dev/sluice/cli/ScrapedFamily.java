package dev.sluice.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A metric with its series, as the text format of Prometheus has them.
 *
 * @param series their values by their names with labels, in the order of the page
 */
record ScrapedFamily(String name, String help, Map<String, Double> series) {

    private static final String HELP = "# HELP ";

    /** The metrics of a page. Lines that are neither a series nor a help text are ignored. */
    static List<ScrapedFamily> of(String page) {
        List<ScrapedFamily> families = new ArrayList<>();
        for (String line : page.lines().toList()) {
            int end = line.indexOf(' ', HELP.length());
            if (line.startsWith(HELP) && end > 0) {
                families.add(new ScrapedFamily(
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
                // A gateway writes none; another program's page is shown as far as it is understood.
            }
        }
    }
}
