package dev.sluice.management;

import java.util.OptionalInt;

/**
 * Limits how many decisions a client of the event stream receives in a second. Further decisions are left out and
 * counted. The part of the limit that a client does not use is saved for later seconds, so that no decision of a small
 * burst is left out.
 */
final class EventStreamPace {

    /** A client can save its limit for at most this number of seconds. */
    static final int SAVED_SECONDS = 10;

    private final long eachSecond;
    private final long most;
    private long allowed;
    private long leftOut;

    /**
     * @param perSecond the maximum number of decisions that the client wants to receive a second; empty for all
     *     decisions
     */
    EventStreamPace(OptionalInt perSecond) {
        eachSecond = perSecond.orElse(0);
        most = perSecond.isPresent() ? SAVED_SECONDS * eachSecond : Long.MAX_VALUE / 2;
        allowed = most;
    }

    /**
     * Allows {@code missed} additional decisions. They are the decisions that the client missed while it was not
     * connected.
     */
    void allow(long missed) {
        allowed += missed;
    }

    /** Returns true if the client may receive the next decision. Otherwise the decision is counted as left out. */
    boolean admitsNext() {
        if (allowed == 0) {
            leftOut++;
            return false;
        }
        allowed--;
        return true;
    }

    /** Begins the next second, in which the client may receive further decisions. */
    void nextSecond() {
        allowed = Math.max(allowed, Math.min(most, allowed + eachSecond));
    }

    /** Returns the number of decisions that were left out since the last call. */
    long takeLeftOut() {
        long taken = leftOut;
        leftOut = 0;
        return taken;
    }
}
