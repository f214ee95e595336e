package dev.sluice.record.observe;

import dev.sluice.webhook.intake.HandshakeFailure;
import dev.sluice.webhook.review.AdmissionReview;

/**
 * Is told what the gateway did besides its decisions, which are records on the bus. Logs and metrics implement it. It
 * is called on event loops and must never wait.
 */
public interface AdmissionObserver {

    /** A review was not Sluice's to decide. */
    void passed(AdmissionReview review);

    /** A request got an HTTP error. */
    void refused(int status, String sentence);

    /** A client could not connect. Strangers can cause it as often as they like, so that it is counted, not logged. */
    default void handshakeFailed(HandshakeFailure failure) {}

    /** The gateway failed, and answered so that the pod is not stopped. */
    void failed(String uid, Throwable fault);
}
