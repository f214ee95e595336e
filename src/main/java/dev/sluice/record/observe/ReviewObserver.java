package dev.sluice.record.observe;

import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.webhook.intake.ClientHandshakeFailure;

/**
 * Receives the reviews that end without a decision, and the faults of a gateway. It receives no decisions, because they
 * are published as records on the bus. Logs and metrics implement this interface. The methods are called on event loops
 * and must never block.
 */
public interface ReviewObserver {

    /** Called when a review was allowed because Sluice does not decide about this kind of request. */
    void passed(AdmissionReview review);

    /** Called when a request was answered with an HTTP error. */
    void refused(int status, String sentence);

    /**
     * Called when a TLS handshake has failed. Every client can cause any number of failed handshakes, so they are
     * counted in metrics but not logged.
     */
    default void handshakeFailed(ClientHandshakeFailure failure) {}

    /**
     * Called after each attempt to forward a review to the replica that decides. That replica makes the record of the
     * decision.
     *
     * @param nanos the time that the attempt took, in nanoseconds
     */
    default void forwarded(ObservedForwardResult result, long nanos) {}

    /** Called when an internal fault has occurred in a review. The answer to the review has allowed the pod. */
    void failed(String uid, Throwable fault);
}
