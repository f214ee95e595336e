package dev.sluice.app;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The time of day as it was at the start, and since then what really passed: nobody who sets the machine's clock makes
 * a lease last longer or end early.
 */
final class SteadyClock implements InstantSource {

    private final Instant start;
    private final long startNanos;

    SteadyClock() {
        start = Instant.now();
        startNanos = System.nanoTime();
    }

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - startNanos);
    }
}
