package dev.sluice.cli.report.page;

/** How good it is what a block says. */
public enum PageTone {
    PLAIN,
    GOOD,
    DOUBTFUL,
    BAD
}
