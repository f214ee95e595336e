package dev.sluice.webhook;

import dev.sluice.admission.ActivePolicy;
import dev.sluice.admission.Decider;
import dev.sluice.admission.Reason;
import dev.sluice.admission.Verdict;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.codec.AdmissionReview;
import dev.sluice.codec.NotAReviewException;
import dev.sluice.codec.ReviewDecoder;
import dev.sluice.codec.ReviewEncoder;
import java.util.List;
import java.util.function.Supplier;

/** From the bytes of a review to the bytes of its answer. One for each thread. */
public final class Admissions {

    private static final String FAULT =
            "Sluice failed on this pod and left it as written; the gateway's log says why, look for this request's uid";

    /** Decides about one pod that is to be created. */
    public interface PodDecision {
        Verdict decide(AdmissionReview review, ClusterSnapshot cluster, ActivePolicy policy);
    }

    private final ReviewDecoder decoder = new ReviewDecoder();
    private final PodDecision decision;
    private final AdmissionObserver observer;

    public Admissions(PodDecision decision, AdmissionObserver observer) {
        this.decision = decision;
        this.observer = observer;
    }

    /** The decision of allocatable mode, by the policy of the request's namespace. */
    public static PodDecision allocatable() {
        return (review, cluster, policy) -> switch (review.object()) {
            case AdmissionReview.PodObject.Pod pod ->
                Decider.decide(pod.request(), policy.forNamespace(review.namespace()), cluster);
            case AdmissionReview.PodObject.Absent _ -> Decider.absent();
            case AdmissionReview.PodObject.Unreadable unreadable -> Decider.malformed(unreadable.problem());
        };
    }

    /** By the cluster and the policy of one moment, whatever comes meanwhile. */
    Answer answer(byte[] body, ClusterSnapshot cluster, ActivePolicy policy) {
        long start = System.nanoTime();
        AdmissionReview review;
        try {
            review = decoder.decode(body);
        } catch (NotAReviewException refused) {
            observer.refused(400, refused.sentence());
            return Answer.plain(400, refused.sentence());
        } catch (RuntimeException | StackOverflowError fault) {
            // There is no uid to answer with; without an answer the caller would wait for nothing.
            observer.failed("", fault);
            return Answer.plain(500, "Sluice failed on this request; the gateway's log says why");
        }
        return Answer.review(reply(review, () -> decision.decide(review, cluster, policy), start));
    }

    /** A fault of ours must not stop a pod, and must not go unseen. */
    private byte[] reply(AdmissionReview review, Supplier<Verdict> decided, long start) {
        if (!review.isPodCreation()) {
            observer.passed(review);
            return ReviewEncoder.unread(review.uid());
        }
        try {
            Verdict verdict = decided.get();
            byte[] reply = ReviewEncoder.encode(review.uid(), verdict);
            observer.decided(review, verdict, System.nanoTime() - start);
            return reply;
        } catch (RuntimeException | StackOverflowError fault) {
            observer.failed(review.uid(), fault);
            return ReviewEncoder.encode(review.uid(), Verdict.Allowed.untouched(Reason.INTERNAL_FAULT, List.of(FAULT)));
        }
    }
}
