package dev.sluice.bus;

import java.time.Instant;

/** Asks how often each chain of each namespace was decided since this time, and how. */
public record SummaryQuestion(Instant since) {}
