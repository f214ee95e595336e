package dev.sluice.doctor.report;

/** How good it is what a block says. */
enum PageTone {
    PLAIN,
    GOOD,
    DOUBTFUL,
    BAD
}
