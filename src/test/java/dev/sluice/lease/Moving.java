package dev.sluice.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test moves, and clocks of other machines that move with it. */
public final class Moving implements InstantSource {

    private volatile Instant now;

    public Moving(Instant now) {
        this.now = now;
    }

    public void by(Duration passed) {
        now = now.plus(passed);
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** The same seconds by a clock that was set differently. */
    InstantSource off(Duration difference) {
        return () -> now.plus(difference);
    }
}
