package dev.sluice.record.observe;

import java.util.Locale;

/** The result of forwarding a review to the replica that decides. */
public enum ForwardResult {
    /** The other replica has answered the review or refused it. */
    ANSWERED,
    /** The other replica does not decide any more. */
    NOT_THE_HOLDER,
    /** The other replica gave no answer in time. */
    UNREACHABLE,
    /** The answer is too large, or it is not an answer to this review. */
    UNUSABLE;

    /** Returns the word for metrics. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
