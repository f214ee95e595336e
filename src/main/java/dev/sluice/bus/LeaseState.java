package dev.sluice.bus;

import java.time.Instant;

/**
 * Says whether this process may decide in availability mode. All instants are of the clock of this process, which must
 * never go back.
 *
 * <p>Each message replaces the one before. {@link Standby} is not final: a holder that could not reach the API server
 * for a while may get the same term again, with the same {@code formerMayHaveDecidedUntil}. Its earlier reservations
 * are still valid, because nobody else decided meanwhile.
 */
public sealed interface LeaseState {

    /** Returns true if decisions may be made at this moment. */
    boolean holdsAt(Instant now);

    /**
     * Another process holds the lease, or none does.
     *
     * @param holder the holder of the lease; empty if none is known
     */
    record Standby(String holder) implements LeaseState {

        @Override
        public boolean holdsAt(Instant now) {
            return false;
        }
    }

    /**
     * This process holds the lease. {@link #holdsAt} must be called for every decision, because a suspended process
     * does not notice that its lease has run out.
     *
     * @param formerMayHaveDecidedUntil the moment from which no former holder decides, although pods that it has
     *     admitted may not be stored yet; {@link Instant#MIN} if there was no former holder
     * @param formerEnded the same moment as the former holder has written it, by its own clock; {@link Instant#MAX} if
     *     unknown. No decision may depend on it
     * @param decidesUntil the moment from which this process may not decide, unless a later message says otherwise;
     *     other processes wait longer before they take over
     */
    record Leading(Instant formerMayHaveDecidedUntil, Instant formerEnded, Instant decidesUntil) implements LeaseState {

        @Override
        public boolean holdsAt(Instant now) {
            return now.isBefore(decidesUntil);
        }
    }
}
