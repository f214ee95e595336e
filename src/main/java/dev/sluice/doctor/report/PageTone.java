package dev.sluice.doctor.report;

import java.util.Locale;

/** How good or bad something is, which the page shows as a colour. */
enum PageTone {
    PLAIN,
    GOOD,
    DOUBTFUL,
    BAD;

    /** The class of the style sheet. */
    String style() {
        return name().toLowerCase(Locale.ROOT);
    }
}
