package dev.sluice.cli.doctor;

import java.util.Locale;

/** Says whether a part of the page shows good or bad news. Each tone has its own colour. */
enum ReportPageTone {
    PLAIN,
    GOOD,
    DOUBTFUL,
    BAD;

    /** Returns the CSS class of this tone. */
    String style() {
        return name().toLowerCase(Locale.ROOT);
    }
}
