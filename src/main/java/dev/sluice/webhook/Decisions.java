package dev.sluice.webhook;

import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.bus.message.Deadline;
import dev.sluice.bus.message.Freshness;
import dev.sluice.bus.message.PodAnswer;
import dev.sluice.bus.message.PodQuestion;
import dev.sluice.bus.message.WatchStatus.Kind;
import dev.sluice.decide.Decider;
import dev.sluice.decide.UnreadPod;
import dev.sluice.decide.Verdict;
import dev.sluice.policy.NamespacePolicy;
import dev.sluice.policy.Policy;
import dev.sluice.request.PodRequest;
import dev.sluice.review.AdmissionReview;
import dev.sluice.review.AdmissionReview.PodObject;
import dev.sluice.snapshot.ClusterSnapshot;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Instant;
import java.time.InstantSource;

/** Where decisions are taken: what only reads, on the request's own loop; what reserves, by the owner of the ledger. */
public final class Decisions implements Admissions.PodDecision {

    private final Vertx vertx;
    private final InstantSource clock;
    private volatile Freshness freshness = Freshness.unproved(Freshness.NO_LIMIT);

    /** {@code clock} is the one of the watcher. */
    public Decisions(Vertx vertx, InstantSource clock) {
        this.vertx = vertx;
        this.clock = clock;
    }

    /** Follows how current the cluster is known to be. */
    public void listen() {
        Topic.FRESHNESS.subscribe(vertx, newest -> freshness = newest);
    }

    @Override
    public Future<Verdict> decide(AdmissionReview review, Moment moment) {
        NamespacePolicy here = moment.policy().forNamespace(review.namespace());
        return switch (review.object()) {
            case PodObject.Pod(PodRequest pod)
            when reserves(pod, here, moment) ->
                serially(review, pod, here, moment.deadline().within(Service.PATIENCE));
            case PodObject.Pod(PodRequest pod) -> byOffers(pod, here, moment.cluster());
            case PodObject.Absent _ -> Future.succeededFuture(UnreadPod.absent(here.policy()));
            case PodObject.Unreadable(String problem) ->
                Future.succeededFuture(UnreadPod.malformed(problem, here.policy()));
        };
    }

    private static boolean reserves(PodRequest pod, NamespacePolicy here, Moment moment) {
        return moment.policy().policies().reserve() && Decider.asksForGpu(pod, here);
    }

    /** By what the nodes offer; where the policy wants that to be current, only while it is. */
    private Future<Verdict> byOffers(PodRequest pod, NamespacePolicy here, ClusterSnapshot cluster) {
        return here.policy().whenStale() == Policy.WhenStale.RETRY && Decider.asksForGpu(pod, here)
                ? byCurrentNodes(pod, here, cluster)
                : Future.succeededFuture(Decider.decide(pod, here, cluster));
    }

    /** Another replica may know more. */
    private Future<Verdict> byCurrentNodes(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster) {
        Freshness known = freshness;
        Instant now = clock.instant();
        return known.isCurrent(Kind.NODES, now)
                ? Future.succeededFuture(Decider.decide(pod, policy, cluster))
                : Future.failedFuture(new NotNowException(known.objection(Kind.NODES, now)));
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
