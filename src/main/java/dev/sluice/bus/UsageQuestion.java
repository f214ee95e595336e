package dev.sluice.bus;

/** What is taken of the cluster at the moment? */
public record UsageQuestion() {}
