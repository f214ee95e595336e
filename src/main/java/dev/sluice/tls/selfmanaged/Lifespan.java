package dev.sluice.tls.selfmanaged;

import java.time.Duration;
import java.time.Instant;

/**
 * The time in which a certificate is used.
 *
 * @param begin when it was issued
 * @param end when it expires
 */
record Lifespan(Instant begin, Instant end) {

    /**
     * Certificates are valid this long before they are issued, for API servers and replicas whose clocks are behind.
     */
    public static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final int PARTS = 3;
    private static final int PARTS_BEFORE_RENEWAL = 2;

    boolean holds(Instant now) {
        return !now.isBefore(begin.minus(CLOCK_SKEW)) && now.isBefore(end);
    }

    /** At two thirds of its life: a third remains to find out why a renewal fails. */
    Instant renewal() {
        return begin.plus(Duration.between(begin, end).dividedBy(PARTS).multipliedBy(PARTS_BEFORE_RENEWAL));
    }
}
