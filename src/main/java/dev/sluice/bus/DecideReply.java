package dev.sluice.bus;

import dev.sluice.admission.verdict.Verdict;

/** The reply to a {@link DecideRequest}. */
public sealed interface DecideReply {

    record Answered(Verdict verdict) implements DecideReply {}

    /** No decision is possible now. Another attempt later, or at another replica, may succeed. */
    record NotNow(String why) implements DecideReply {}

    /** The decision failed because of a fault in the gateway. */
    record Failed(Throwable fault) implements DecideReply {}
}
