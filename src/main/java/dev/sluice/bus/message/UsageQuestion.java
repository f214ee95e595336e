package dev.sluice.bus.message;

/** What is taken of the cluster at the moment? */
public record UsageQuestion() {}
