package dev.sluice.webhook;

import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.VerdictTexts;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.kube.decode.NotAReviewException;
import dev.sluice.kube.decode.ReviewDecoder;
import dev.sluice.kube.decode.ReviewEncoder;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.observe.ReviewObserver;
import dev.sluice.replication.Member;
import dev.sluice.webhook.intake.BodyBytes;
import dev.sluice.webhook.intake.IntakeHttpAnswer;
import dev.sluice.webhook.intake.WholeBody;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Turns the bytes of a review into the bytes of its answer: decodes the review, requests a decision and encodes the
 * result. If another replica decides, the review is forwarded unchanged.
 */
public final class GatewayAdmissions {

    /**
     * Decides about one new pod. {@code here} is the policy of its namespace. The future fails with a
     * {@link GatewayUnavailableException} if no decision is possible now. It fails with a
     * {@link GatewayMustForwardException} if another replica decides.
     */
    public interface ReviewDecider {
        Future<Verdict> decide(AdmissionReview review, NamespacePolicy here, GatewayDecisionInputs moment);
    }

    /** Returns the answer to a review that another replica has to decide. */
    public interface ReviewForwarding {
        Future<GatewayReviewAnswer> answer(GatewayForwardableReview review, Member holder);
    }

    /**
     * Requests the answer to a review from the replica {@code holder}. Each retry calls {@code decision} first, because
     * this replica may have become the holder.
     */
    private interface DecisionElsewhere {
        Future<GatewayReviewAnswer> answer(
                AdmissionReview review, Supplier<Future<GatewayReviewAnswer>> decision, Member holder);
    }

    private static final String NO_ROOM = "too many large requests at once";

    /** Refuses a forwarded review if this replica does not decide. A review is never forwarded a second time. */
    private static final ReviewForwarding NOT_AGAIN = (_, holder) -> Future.succeededFuture(GatewayReviewAnswer.refused(
            GatewayForwardRetries.MISDIRECTED, "another replica decides: " + holder.identity()));

    private final ReviewDecoder decoder = new ReviewDecoder();
    private final ReviewDecider decider;
    private final ReviewForwarding forwarding;
    private final ReviewObserver observer;
    private final ReviewExecutor executor;

    /** Creates an object that decodes and encodes reviews on the thread of the caller. */
    public GatewayAdmissions(ReviewDecider decider, ReviewForwarding forwarding, ReviewObserver observer) {
        this(decider, forwarding, observer, ReviewExecutor.HERE);
    }

    /**
     * Creates an object that decodes and encodes reviews on {@code executor}. The executor must have only one thread,
     * because the decoder is not thread-safe.
     */
    GatewayAdmissions(
            ReviewDecider decider, ReviewForwarding forwarding, ReviewObserver observer, ReviewExecutor executor) {
        this.decider = decider;
        this.forwarding = forwarding;
        this.observer = observer;
        this.executor = executor;
    }

    /**
     * Returns the answer to a review. If another replica decides, returns the answer of that replica. Otherwise the
     * decision uses the cluster and the policy in {@code moment}, even if they change in the meantime.
     */
    Future<GatewayReviewAnswer> answer(WholeBody body, GatewayDecisionInputs moment) {
        return worked(body, moment, forwarding);
    }

    /**
     * Returns the answer to a review that another replica has forwarded to this one. Its status is 421 if this replica
     * does not decide.
     */
    Future<GatewayReviewAnswer> answerForwarded(WholeBody body, GatewayDecisionInputs moment) {
        return worked(body, moment, NOT_AGAIN);
    }

    private Future<GatewayReviewAnswer> worked(
            WholeBody body, GatewayDecisionInputs moment, ReviewForwarding elsewhere) {
        return executor.run(() -> started(body, moment, elsewhere)).compose(answer -> answer);
    }

    private Future<GatewayReviewAnswer> started(
            WholeBody body, GatewayDecisionInputs moment, ReviewForwarding elsewhere) {
        Optional<BodyBytes> taken = moment.deadline().isOver() ? Optional.empty() : body.take();
        if (taken.isEmpty()) {
            return Future.succeededFuture(GatewayReviewAnswer.refused(503, NO_ROOM));
        }
        BodyBytes bytes = taken.get();
        if (moment.policy().policies().reserve()) {
            bytes.keep();
        }
        return read(
                        bytes,
                        moment,
                        (review, decision, holder) -> elsewhere.answer(
                                new GatewayForwardableReview(
                                        review.uid(), bytes.buffer(), moment.deadline(), body::isAbandoned, decision),
                                holder))
                .onComplete(_ -> bytes.drop());
    }

    private Future<GatewayReviewAnswer> read(
            BodyBytes body, GatewayDecisionInputs moment, DecisionElsewhere elsewhere) {
        long start = System.nanoTime();
        AdmissionReview review;
        try {
            review = body.length() > ReviewDecoder.MOST_AT_ONCE
                    ? decoder.decode(body.stream())
                    : decoder.decode(body.join());
        } catch (NotAReviewException refused) {
            return Future.succeededFuture(GatewayReviewAnswer.refused(400, refused.sentence()));
        } catch (RuntimeException | StackOverflowError fault) {
            // The uid of the review is unknown, so no AdmissionReview can be returned. The client gets an HTTP error
            // instead, because without any answer it would wait until its timeout.
            observer.failed("", fault);
            return undecided(IntakeHttpAnswer.plain(500, "Sluice failed on this request; the gateway's log says why"));
        }
        if (!review.isToBeDecided()) {
            observer.passed(review);
            return undecided(IntakeHttpAnswer.review(ReviewEncoder.allowedUndecided(review.uid())));
        }
        NamespacePolicy here = moment.policy().forNamespace(review.namespace());
        Supplier<Future<GatewayReviewAnswer>> decision = () -> decided(review, here, moment)
                .compose(verdict -> executor.run(() -> written(review, here.policy(), moment, verdict, start)));
        return decision.get()
                .recover(problem -> problem instanceof GatewayMustForwardException other
                        ? elsewhere.answer(review, decision, other.holder())
                        : Future.failedFuture(problem))
                .recover(problem ->
                        Future.succeededFuture(answerToFailure(review, here.policy(), moment, problem, start)));
    }

    private static GatewayReviewAnswer written(
            AdmissionReview review, Policy policy, GatewayDecisionInputs moment, Verdict verdict, long start) {
        if (verdict instanceof Verdict.NoGpu) {
            byte[] reply = ReviewEncoder.allowedUndecided(review.uid());
            return GatewayReviewAnswer.decided(
                    IntakeHttpAnswer.review(reply), new ReviewRecord.PodWithoutGpu(System.nanoTime() - start));
        }
        VerdictTexts words = Wording.of(verdict);
        byte[] reply = encoded(review.uid(), policy, verdict, words);
        ReviewRecord record =
                new GatewayRecordMaker(review, moment, policy).of(verdict, words, System.nanoTime() - start);
        return GatewayReviewAnswer.decided(IntakeHttpAnswer.review(reply), record);
    }

    /** Returns the answer with this verdict. If the policy only observes, the answer allows the pod unchanged. */
    public static byte[] encoded(String uid, Policy policy, Verdict verdict, VerdictTexts words) {
        return policy.observes()
                ? ReviewEncoder.encodeObserved(uid, verdict, observedWarnings(policy, verdict))
                : ReviewEncoder.encode(uid, verdict, words);
    }

    private static List<String> observedWarnings(Policy policy, Verdict verdict) {
        return switch (policy.observedMessage()) {
            case NONE -> List.of();
            case WARNING -> Wording.observed(verdict);
        };
    }

    private static Future<GatewayReviewAnswer> undecided(IntakeHttpAnswer answer) {
        return Future.succeededFuture(GatewayReviewAnswer.undecided(answer));
    }

    private Future<Verdict> decided(AdmissionReview review, NamespacePolicy here, GatewayDecisionInputs moment) {
        try {
            return decider.decide(review, here, moment);
        } catch (RuntimeException | StackOverflowError fault) {
            return Future.failedFuture(fault);
        }
    }

    /**
     * Returns the answer if there is no decision. After a fault of the gateway, the answer allows the pod, because a
     * fault must not prevent the creation of a pod. If no decision is possible now, the answer refuses the review, so
     * that the API server repeats it. If the policy only observes, the answer always allows the pod.
     */
    private GatewayReviewAnswer answerToFailure(
            AdmissionReview review, Policy policy, GatewayDecisionInputs moment, Throwable problem, long start) {
        if (problem instanceof GatewayUnavailableException later) {
            return policy.observes()
                    ? written(review, policy, moment, notDecided(later), start)
                    : GatewayReviewAnswer.refused(503, later.why());
        }
        observer.failed(review.uid(), problem);
        Verdict verdict = Verdict.Allowed.untouched(Reason.INTERNAL_FAULT, List.of(new DecisionCause.InternalFault()));
        try {
            return written(review, policy, moment, verdict, start);
        } catch (RuntimeException | StackOverflowError inTheRecord) {
            return GatewayReviewAnswer.undecided(
                    IntakeHttpAnswer.review(encoded(review.uid(), policy, verdict, Wording.of(verdict))));
        }
    }

    private static Verdict notDecided(GatewayUnavailableException later) {
        return Verdict.Allowed.untouched(Reason.NOT_DECIDED, List.of(new DecisionCause.NotDecided(later.why())));
    }
}
