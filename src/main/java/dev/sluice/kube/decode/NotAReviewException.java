package dev.sluice.kube.decode;

import java.io.Serial;

/** Thrown if the body of a request is not an AdmissionReview that can be answered. The message gives the reason. */
public final class NotAReviewException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final String sentence;

    NotAReviewException(String sentence) {
        // No stack trace is created: it is expensive, and clients can cause this exception at any rate.
        super(sentence, null, false, false);
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }
}
