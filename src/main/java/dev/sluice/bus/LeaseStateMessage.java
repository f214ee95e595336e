package dev.sluice.bus;

import java.time.Instant;

/**
 * Reports whether this process may make decisions in availability mode. All instants are of the clock of this process,
 * which never goes back.
 *
 * <p>Each message replaces the previous one. If this process cannot reach the API server for a while, a {@link Standby}
 * comes between two {@link Leading} messages of the same term. Both then have the same
 * {@code formerMayHaveDecidedUntil}. The reservations of this process stay valid, because no other process has decided
 * in the meantime.
 */
public sealed interface LeaseStateMessage {

    /** Returns true if this process may make decisions at this time. */
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
     * @param formerMayHaveDecidedUntil the time until which a former holder may have made decisions;
     *     {@link Instant#MIN} if there was no former holder. The API server may store the pods of these decisions after
     *     that time
     * @param formerEnded the time at which the former holder stopped deciding, by the clock of that holder;
     *     {@link Instant#MAX} if unknown. The clocks may differ, so no decision may depend on this time
     * @param decidesUntil the time from which this process must not decide, unless a later message extends it. A
     *     replica that lacks some decisions takes over only after that time
     * @param aloneUntil until this time, no other process has made decisions in this term. Later, a replica that has
     *     all decisions may have taken over
     */
    record Leading(Instant formerMayHaveDecidedUntil, Instant formerEnded, Instant decidesUntil, Instant aloneUntil)
            implements LeaseStateMessage {

        @Override
        public boolean holdsAt(Instant now) {
            return now.isBefore(decidesUntil);
        }
    }
}
