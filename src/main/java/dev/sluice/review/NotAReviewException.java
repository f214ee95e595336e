package dev.sluice.review;

import java.io.Serial;

/** The bytes are no AdmissionReview that can be answered; the sentence says why. */
public final class NotAReviewException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final String sentence;

    NotAReviewException(String sentence) {
        // Clients cause it, so it must be cheap: no stack is taken.
        super(sentence, null, false, false);
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }
}
