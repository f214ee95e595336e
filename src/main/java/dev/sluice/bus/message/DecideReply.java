package dev.sluice.bus.message;

import dev.sluice.verdict.Verdict;

/** What comes of a {@link DecideRequest}. */
public sealed interface DecideReply {

    record Answered(Verdict verdict) implements DecideReply {}

    /** Nothing is decided here at the moment; another try, or another replica, may do. */
    record NotNow(String why) implements DecideReply {}

    /** A fault of ours. */
    record Failed(Throwable fault) implements DecideReply {}
}
