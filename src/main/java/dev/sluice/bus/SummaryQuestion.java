package dev.sluice.bus;

import java.time.Instant;

/** Requests the number of decisions since this time, for each namespace, fallback chain and outcome. */
public record SummaryQuestion(Instant since) {}
