package dev.sluice.record.observe;

import dev.sluice.webhook.intake.HandshakeFailure;
import dev.sluice.webhook.review.AdmissionReview;

/**
 * Receives what the gateway did besides its decisions, which are records on the bus. Logs and metrics implement it. The
 * methods are called on event loops and must never wait.
 */
public interface AdmissionObserver {

    /** A review was allowed because Sluice does not decide about its kind of request. */
    void passed(AdmissionReview review);

    /** A request got an HTTP error. */
    void refused(int status, String sentence);

    /** A TLS handshake failed. Anybody can cause this as often as they like, so it is counted and not logged. */
    default void handshakeFailed(HandshakeFailure failure) {}

    /** The gateway failed. It answered in such a way that the pod is not stopped. */
    void failed(String uid, Throwable fault);
}
