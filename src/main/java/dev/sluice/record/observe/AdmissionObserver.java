package dev.sluice.record.observe;

import dev.sluice.webhook.intake.ClientHandshakeFailure;
import dev.sluice.webhook.review.AdmissionReview;

/**
 * Receives the reviews that end without a decision, and the faults of a gateway. Decisions are records on the bus
 * instead. Logs and metrics implement this interface. The methods are called on event loops and must never block.
 */
public interface AdmissionObserver {

    /** Called when a review was allowed because Sluice does not decide about this kind of request. */
    void passed(AdmissionReview review);

    /** Called when a request was answered with an HTTP error. */
    void refused(int status, String sentence);

    /**
     * Called when a TLS handshake has failed. Every client can cause any number of these, so logs ignore them and
     * metrics count them.
     */
    default void handshakeFailed(ClientHandshakeFailure failure) {}

    /** Called when an internal fault has occurred in a review. The review was answered so that the pod is created. */
    void failed(String uid, Throwable fault);
}
