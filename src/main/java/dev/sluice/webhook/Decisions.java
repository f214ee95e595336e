package dev.sluice.webhook;

import dev.sluice.admission.ActivePolicy;
import dev.sluice.admission.Decider;
import dev.sluice.admission.NamespacePolicy;
import dev.sluice.admission.PodRequest;
import dev.sluice.admission.UnreadPod;
import dev.sluice.admission.Verdict;
import dev.sluice.bus.PodAnswer;
import dev.sluice.bus.PodQuestion;
import dev.sluice.bus.Service;
import dev.sluice.cluster.ClusterSnapshot;
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
    public Future<Verdict> decide(AdmissionReview review, ClusterSnapshot cluster, ActivePolicy policy) {
        NamespacePolicy here = policy.forNamespace(review.namespace());
        return switch (review.object()) {
            case PodObject.Pod(PodRequest pod) when reserves(pod, here, policy) -> serially(review, pod, here);
            case PodObject.Pod(PodRequest pod) -> Future.succeededFuture(Decider.decide(pod, here, cluster));
            case PodObject.Absent _ -> Future.succeededFuture(UnreadPod.absent(here.policy()));
            case PodObject.Unreadable(String problem) ->
                Future.succeededFuture(UnreadPod.malformed(problem, here.policy()));
        };
    }

    private static boolean reserves(PodRequest pod, NamespacePolicy here, ActivePolicy policy) {
        return policy.policies().reserve() && Decider.asksForGpu(pod, here);
    }

    private Future<Verdict> serially(AdmissionReview review, PodRequest pod, NamespacePolicy policy) {
        PodQuestion.Effect effect =
                review.dryRun() == AdmissionReview.DryRun.YES ? PodQuestion.Effect.DRY_RUN : PodQuestion.Effect.REAL;
        PodQuestion question = new PodQuestion(review.uid(), review.podName(), effect, pod, policy, System.nanoTime());
        return Service.DECIDE.ask(vertx, question).recover(Decisions::later).compose(answer -> switch (answer) {
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
