package dev.sluice.bus;

import java.time.Instant;

/**
 * Whether this process may decide in availability mode. Instants are of the one clock of the process, which must never
 * go back.
 *
 * <p>Every message replaces the one before. {@link Standby} is not final: a holder that was cut off from the API server
 * for a while may get the same term again, with the same {@code formerMayHaveDecidedUntil}. What it reserved before is
 * still valid, because nobody else decided meanwhile.
 */
public sealed interface LeaseState {

    /** Whether decisions may be made at this moment. */
    boolean holdsAt(Instant now);

    /**
     * Another process decides, or none.
     *
     * @param holder the holder of the lease, empty if none is known
     */
    record Standby(String holder) implements LeaseState {

        @Override
        public boolean holdsAt(Instant now) {
            return false;
        }
    }

    /**
     * This process holds the lease. It must be asked at every decision, because a process that was suspended does not
     * notice that its lease has run out.
     *
     * @param formerMayHaveDecidedUntil from this moment on no former holder decides, but pods that it has admitted may
     *     not be stored yet; {@link Instant#MIN} if there was none
     * @param formerEnded the same moment by the word and the clock of the former holder itself; {@link Instant#MAX} if
     *     it is not known. Nothing may be decided by it.
     * @param decidesUntil from this moment on this process may not decide, unless a later message says otherwise;
     *     others wait for longer before they take over
     */
    record Leading(Instant formerMayHaveDecidedUntil, Instant formerEnded, Instant decidesUntil) implements LeaseState {

        @Override
        public boolean holdsAt(Instant now) {
            return now.isBefore(decidesUntil);
        }
    }
}
