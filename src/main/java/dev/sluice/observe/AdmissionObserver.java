package dev.sluice.observe;

import dev.sluice.review.AdmissionReview;
import dev.sluice.verdict.Verdict;
import dev.sluice.wording.Words;

/**
 * Told of what the gateway did; for logs and metrics, which wrap it from outside. Called on event loops: never waits.
 */
public interface AdmissionObserver {

    /**
     * A verdict on a pod that is to be created.
     *
     * @param words the sentences of the verdict
     * @param generation of the policy by which it was made
     * @param nanos from the whole body to the answer
     */
    void decided(AdmissionReview review, Verdict verdict, Words words, long generation, long nanos);

    /** A review that is none of Sluice's business. */
    void passed(AdmissionReview review);

    /** A request that got an HTTP error. */
    void refused(int status, String sentence);

    /** A fault of ours, answered so that the pod is not stopped by it. */
    void failed(String uid, Throwable fault);
}
