package dev.sluice.bus;

import java.time.Instant;

/**
 * Reports whether this process may make decisions in availability mode. All instants are of the clock of this process,
 * which never goes back.
 *
 * <p>Each message replaces the previous one. {@link Standby} is not final: a holder that could not reach the API server
 * for a while may get the same term again, with the same {@code formerMayHaveDecidedUntil}. Its earlier reservations
 * are then still valid, because no other process has decided in the meantime.
 */
public sealed interface LeaseStateMessage {

    /** Returns true if decisions may be made at this time. */
    boolean holdsAt(Instant now);

    /**
     * Another process holds the Lease, or no process holds it.
     *
     * @param holder the holder of the Lease; empty if no holder is known
     */
    record Standby(String holder) implements LeaseStateMessage {

        @Override
        public boolean holdsAt(Instant now) {
            return false;
        }
    }

    /**
     * This process holds the Lease. Every decision has to call {@link #holdsAt}, because a suspended process does not
     * notice that its Lease has expired.
     *
     * @param formerMayHaveDecidedUntil the time since which no former holder makes decisions, although the API server
     *     may store pods that it admitted later than that; {@link Instant#MIN} if there was no former holder
     * @param formerEnded the time at which the former holder stopped deciding, which that holder wrote by its own
     *     clock; {@link Instant#MAX} if unknown. No decision may depend on it
     * @param decidesUntil the time from which this process may not decide, unless a later message extends it; other
     *     processes wait longer before they take over
     * @param aloneUntil the time until which certainly no other process has decided in this term; after that time a
     *     member of the in-sync set may have taken over
     */
    record Leading(Instant formerMayHaveDecidedUntil, Instant formerEnded, Instant decidesUntil, Instant aloneUntil)
            implements LeaseStateMessage {

        @Override
        public boolean holdsAt(Instant now) {
            return now.isBefore(decidesUntil);
        }
    }
}
