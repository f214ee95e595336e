package dev.sluice.management;

import java.util.OptionalInt;

/**
 * Decides which decisions a client receives that wants only some a second. Each second it receives the first ones, and
 * the others are counted. After a quiet time it receives as many at once as in {@link #SAVED_SECONDS}, so nothing is
 * left out of a small burst.
 */
final class DecisionPace {

    /** The number of seconds whose decisions a client can save up. */
    static final int SAVED_SECONDS = 10;

    private final long eachSecond;
    private final long most;
    private long allowed;
    private long leftOut;

    /** @param perSecond the decisions that the client wants a second; empty for all */
    DecisionPace(OptionalInt perSecond) {
        eachSecond = perSecond.orElse(0);
        most = perSecond.isPresent() ? SAVED_SECONDS * eachSecond : Long.MAX_VALUE / 2;
        allowed = most;
    }

    /** Allows as many decisions more, such as those that the client has missed while it was not connected. */
    void allow(long missed) {
        allowed += missed;
    }

    /** Returns true if the client receives the next decision. Otherwise the decision is counted. */
    boolean admitsNext() {
        if (allowed == 0) {
            leftOut++;
            return false;
        }
        allowed--;
        return true;
    }

    /** Begins the next second. */
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
