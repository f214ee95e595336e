package dev.sluice.webhook;

import dev.sluice.admission.ActivePolicy;
import dev.sluice.admission.Reason;
import dev.sluice.admission.Verdict;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.codec.AdmissionReview;
import dev.sluice.codec.NotAReviewException;
import dev.sluice.codec.ReviewDecoder;
import dev.sluice.codec.ReviewEncoder;
import io.vertx.core.Future;
import java.util.List;

/** From the bytes of a review to the bytes of its answer. One for each thread. */
public final class Admissions {

    private static final String FAULT =
            "Sluice failed on this pod and left it as written; the gateway's log says why, look for this request's uid";

    /**
     * Decides about one pod that is to be created; fails with a {@link NotNowException} where nothing can be decided at
     * the moment.
     */
    public interface PodDecision {
        Future<Verdict> decide(AdmissionReview review, ClusterSnapshot cluster, ActivePolicy policy);
    }

    private final ReviewDecoder decoder = new ReviewDecoder();
    private final PodDecision decision;
    private final AdmissionObserver observer;

    public Admissions(PodDecision decision, AdmissionObserver observer) {
        this.decision = decision;
        this.observer = observer;
    }

    /** By the cluster and the policy of one moment, whatever comes meanwhile. */
    Future<Answer> answer(byte[] body, ClusterSnapshot cluster, ActivePolicy policy) {
        long start = System.nanoTime();
        AdmissionReview review;
        try {
            review = decoder.decode(body);
        } catch (NotAReviewException refused) {
            observer.refused(400, refused.sentence());
            return Future.succeededFuture(Answer.plain(400, refused.sentence()));
        } catch (RuntimeException | StackOverflowError fault) {
            // There is no uid to answer with; without an answer the caller would wait for nothing.
            observer.failed("", fault);
            return Future.succeededFuture(
                    Answer.plain(500, "Sluice failed on this request; the gateway's log says why"));
        }
        if (!review.isPodCreation()) {
            observer.passed(review);
            return Future.succeededFuture(Answer.review(ReviewEncoder.unread(review.uid())));
        }
        return decided(review, cluster, policy)
                .map(verdict -> {
                    byte[] reply = ReviewEncoder.encode(review.uid(), verdict);
                    observer.decided(review, verdict, policy.generation(), System.nanoTime() - start);
                    return Answer.review(reply);
                })
                .recover(problem -> Future.succeededFuture(instead(review, problem)));
    }

    private Future<Verdict> decided(AdmissionReview review, ClusterSnapshot cluster, ActivePolicy policy) {
        try {
            return decision.decide(review, cluster, policy);
        } catch (RuntimeException | StackOverflowError fault) {
            return Future.failedFuture(fault);
        }
    }

    /** A fault of ours must not stop a pod, and must not go unseen. */
    private Answer instead(AdmissionReview review, Throwable problem) {
        if (problem instanceof NotNowException later) {
            observer.refused(503, later.why());
            return Answer.plain(503, later.why());
        }
        observer.failed(review.uid(), problem);
        return Answer.review(
                ReviewEncoder.encode(review.uid(), Verdict.Allowed.untouched(Reason.INTERNAL_FAULT, List.of(FAULT))));
    }
}
