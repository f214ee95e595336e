package dev.sluice.webhook.review;

import java.io.Serial;

/** The bytes are not an AdmissionReview that can be answered. The sentence says why. */
public final class NotAReviewException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final String sentence;

    NotAReviewException(String sentence) {
        // Clients can cause it at will, so it must be cheap: no stack trace is taken.
        super(sentence, null, false, false);
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }
}
