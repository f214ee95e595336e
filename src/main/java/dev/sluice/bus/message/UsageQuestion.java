package dev.sluice.bus.message;

/** Asks for the usage of the cluster. */
public record UsageQuestion() {}
