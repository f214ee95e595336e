package dev.sluice.app;

import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that shows the time of day at the start plus the time that has really passed since then. A change of the
 * machine's clock neither prolongs nor shortens a lease.
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
