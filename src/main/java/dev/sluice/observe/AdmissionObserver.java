package dev.sluice.observe;

import dev.sluice.connection.HandshakeFailure;
import dev.sluice.review.AdmissionReview;
import dev.sluice.verdict.Verdict;
import dev.sluice.wording.Words;

/** Is told what the gateway did. Logs and metrics implement it. It is called on event loops and must never wait. */
public interface AdmissionObserver {

    /**
     * A pod that is to be created got a verdict.
     *
     * @param words the sentences of the verdict
     * @param generation of the policy by which it was made
     * @param nanos from the whole body to the answer
     */
    void decided(AdmissionReview review, Verdict verdict, Words words, long generation, long nanos);

    /** A review was not Sluice's to decide. */
    void passed(AdmissionReview review);

    /** A request got an HTTP error. */
    void refused(int status, String sentence);

    /** A client could not connect. Strangers can cause it as often as they like, so that it is counted, not logged. */
    default void handshakeFailed(HandshakeFailure failure) {}

    /** The gateway failed, and answered so that the pod is not stopped. */
    void failed(String uid, Throwable fault);
}
