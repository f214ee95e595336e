package dev.sluice.bus;

import dev.sluice.admission.verdict.Verdict;
import dev.sluice.replication.Member;

/** The reply to a {@link DecideRequest}. */
public sealed interface DecideReply {

    record Answered(Verdict verdict) implements DecideReply {}

    /** No decision is possible now. A later attempt, or another replica, may succeed. */
    record NotNow(String why) implements DecideReply {}

    /** Another replica, whose address is known, makes the decisions. */
    record Elsewhere(Member holder) implements DecideReply {}

    /** The decision failed because of a fault in the gateway. */
    record Failed(Throwable fault) implements DecideReply {}
}
