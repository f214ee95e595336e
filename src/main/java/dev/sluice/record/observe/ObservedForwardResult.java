package dev.sluice.record.observe;

import java.util.Locale;

/** The result of forwarding a review to the replica that decides. */
public enum ObservedForwardResult {
    /** The replica to which the review was forwarded has answered or refused it. */
    ANSWERED,
    /** The replica to which the review was forwarded does not decide any more. */
    NOT_THE_HOLDER,
    /** The replica to which the review was forwarded gave no answer in time. */
    UNREACHABLE,
    /** The answer to the forwarded review is too large, or it is not an answer to this review. */
    UNUSABLE;

    /** Returns the word for metrics. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
