package dev.sluice.webhook;

import dev.sluice.admission.Decider;
import dev.sluice.admission.NamespacePolicy;
import dev.sluice.admission.PodRequest;
import dev.sluice.admission.Verdict;
import dev.sluice.bus.Deadline;
import dev.sluice.bus.PodAnswer;
import dev.sluice.bus.PodQuestion;
import dev.sluice.bus.Service;
import dev.sluice.codec.AdmissionReview;
import dev.sluice.codec.AdmissionReview.PodObject;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;

/** Where decisions are taken: what only reads, on the request's own loop; what reserves, by the owner of the ledger. */
public final class Decisions implements Admissions.PodDecision {

    private final Vertx vertx;

    public Decisions(Vertx vertx) {
        this.vertx = vertx;
    }

    @Override
    public Future<Verdict> decide(AdmissionReview review, Moment moment) {
        return switch (review.object()) {
            case PodObject.Pod(PodRequest pod) -> ofPod(pod, review, moment);
            case PodObject.Absent _ -> Future.succeededFuture(Decider.absent());
            case PodObject.Unreadable(String problem) -> Future.succeededFuture(Decider.malformed(problem));
        };
    }

    private Future<Verdict> ofPod(PodRequest pod, AdmissionReview review, Moment moment) {
        NamespacePolicy here = moment.policy().forNamespace(review.namespace());
        return moment.policy().policies().reserve() && Decider.asksForGpu(pod, here)
                ? serially(review, pod, here, moment.deadline().within(Service.PATIENCE))
                : Future.succeededFuture(Decider.decide(pod, here, moment.cluster()));
    }

    private Future<Verdict> serially(
            AdmissionReview review, PodRequest pod, NamespacePolicy policy, Deadline deadline) {
        PodQuestion.Effect effect =
                review.dryRun() == AdmissionReview.DryRun.YES ? PodQuestion.Effect.DRY_RUN : PodQuestion.Effect.REAL;
        PodQuestion question = new PodQuestion(review.uid(), review.podName(), effect, pod, policy, deadline);
        return Service.DECIDE
                .ask(vertx, question, deadline)
                .recover(Decisions::later)
                .compose(answer -> switch (answer) {
                    case PodAnswer.Decided(Verdict verdict) -> Future.succeededFuture(verdict);
                    case PodAnswer.NotNow(String why) -> Future.failedFuture(new NotNowException(why));
                    case PodAnswer.Failed(Throwable fault) -> Future.failedFuture(fault);
                });
    }

    /** An owner who is busy, with a list of the whole cluster for example, is no fault: the next try may do. */
    private static Future<PodAnswer> later(Throwable problem) {
        return problem instanceof ReplyException failed && failed.failureType() == ReplyFailure.TIMEOUT
                ? Future.succeededFuture(new PodAnswer.NotNow("the decision took too long"))
                : Future.failedFuture(problem);
    }
}
