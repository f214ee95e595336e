package dev.sluice.doctor.report;

import java.util.Locale;

/** Whether a part of the page is good or bad news. The page shows it as a colour. */
enum PageTone {
    PLAIN,
    GOOD,
    DOUBTFUL,
    BAD;

    /** Returns the CSS class of this tone. */
    String style() {
        return name().toLowerCase(Locale.ROOT);
    }
}
