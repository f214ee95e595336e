package dev.sluice.app;

import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that shows the time of day at the start of the process plus the time that has passed since then. If an
 * administrator changes the clock of the machine, no lease becomes longer or shorter.
 */
final class GatewayClock implements InstantSource {

    private final Instant start;
    private final long startNanos;

    GatewayClock() {
        start = Instant.now();
        startNanos = System.nanoTime();
    }

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - startNanos);
    }
}
