package dev.sluice.bus.message;

import java.time.Instant;

/**
 * Whether this process may decide in availability mode. All instants are of the one clock that the election and whoever
 * decides share, which must never go back: the lease of another moment is no lease.
 *
 * <p>Every message replaces the one before. {@link Standby} ends nothing for good: a holder that was cut off from the
 * API server for a while may come back to the same term, with the same {@code formerMayHaveDecidedUntil}, and what it
 * reserved before still holds, because nobody else decided meanwhile.
 */
public sealed interface LeaseState {

    /** True while decisions may be taken. */
    boolean holdsAt(Instant now);

    /**
     * Somebody else decides, or nobody.
     *
     * @param holder who holds the lease, empty while nobody is known to
     */
    record Standby(String holder) implements LeaseState {

        @Override
        public boolean holdsAt(Instant now) {
            return false;
        }
    }

    /**
     * This process holds the lease. To be asked at every decision: a process that stood still does not hear that its
     * lease has run out.
     *
     * @param formerMayHaveDecidedUntil from this moment on no former holder decides, {@link Instant#MIN} when there was
     *     none; what it decided before may still be on its way into the API server
     * @param decidesUntil the first moment at which this process may not decide any more, unless a later message says
     *     otherwise; others wait for longer before they take over
     */
    record Leading(Instant formerMayHaveDecidedUntil, Instant decidesUntil) implements LeaseState {

        @Override
        public boolean holdsAt(Instant now) {
            return now.isBefore(decidesUntil);
        }
    }
}
