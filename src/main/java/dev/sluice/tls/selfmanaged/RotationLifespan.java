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

    /**
     * The validity of a certificate begins this long before it is issued, because the clocks of API servers and other
     * replicas may be slow.
     */
    public static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final int PARTS = 3;
    private static final int PARTS_BEFORE_RENEWAL = 2;

    boolean holds(Instant now) {
        return !now.isBefore(begin.minus(CLOCK_SKEW)) && now.isBefore(end);
    }

    /**
     * Returns the time at which the certificate should be renewed: after two thirds of its lifetime. If the renewal
     * fails, an administrator has the last third to repair the cause.
     */
    Instant renewal() {
        return begin.plus(Duration.between(begin, end).dividedBy(PARTS).multipliedBy(PARTS_BEFORE_RENEWAL));
    }
}
