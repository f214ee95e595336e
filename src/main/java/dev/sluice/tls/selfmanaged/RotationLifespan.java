package dev.sluice.tls.selfmanaged;

import java.time.Duration;
import java.time.Instant;

/**
 * The period of time in which a certificate is used.
 *
 * @param begin the time at which the certificate was issued
 * @param end the time at which the certificate expires
 */
record RotationLifespan(Instant begin, Instant end) {

    /** How long before its issue a certificate becomes valid, for API servers and replicas whose clocks are slow. */
    public static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final int PARTS = 3;
    private static final int PARTS_BEFORE_RENEWAL = 2;

    boolean holds(Instant now) {
        return !now.isBefore(begin.minus(CLOCK_SKEW)) && now.isBefore(end);
    }

    /**
     * Returns the time at which the certificate should be renewed, which is after two thirds of its lifetime. If the
     * renewal fails, an administrator has the last third of the lifetime to repair it.
     */
    Instant renewal() {
        return begin.plus(Duration.between(begin, end).dividedBy(PARTS).multipliedBy(PARTS_BEFORE_RENEWAL));
    }
}
