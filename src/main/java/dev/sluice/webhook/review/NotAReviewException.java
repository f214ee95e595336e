package dev.sluice.webhook.review;

import java.io.Serial;

/** Thrown if the bytes are not an AdmissionReview that can be answered. The sentence gives the reason. */
public final class NotAReviewException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final String sentence;

    NotAReviewException(String sentence) {
        // Clients can cause this exception as often as they like, so it must be cheap: no stack trace is taken.
        super(sentence, null, false, false);
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }
}
