package dev.sluice.webhook;

import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.bus.message.Deadline;
import dev.sluice.bus.message.DecideReply;
import dev.sluice.bus.message.DecideRequest;
import dev.sluice.bus.message.Freshness;
import dev.sluice.bus.message.WatchStatus.ObjectKind;
import dev.sluice.decide.Decider;
import dev.sluice.decide.UnreadablePod;
import dev.sluice.policy.NamespacePolicy;
import dev.sluice.policy.Policy;
import dev.sluice.request.PodRequest;
import dev.sluice.review.AdmissionReview;
import dev.sluice.review.AdmissionReview.PodObject;
import dev.sluice.snapshot.ClusterSnapshot;
import dev.sluice.verdict.Verdict;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Instant;
import java.time.InstantSource;

/** Where decisions are taken: what only reads, on the request's own loop; what reserves, by the owner of the ledger. */
public final class DecisionRouter implements Admissions.ReviewDecider {

    private final Vertx vertx;
    private final InstantSource clock;
    private volatile Freshness freshness = Freshness.unproved(Freshness.NO_LIMIT);

    /** {@code clock} is the one of the watcher. */
    public DecisionRouter(Vertx vertx, InstantSource clock) {
        this.vertx = vertx;
        this.clock = clock;
    }

    /** Follows how current the cluster is known to be. */
    public void listen() {
        Topic.FRESHNESS.subscribe(vertx, newest -> freshness = newest);
    }

    @Override
    public Future<Verdict> decide(AdmissionReview review, DecisionInputs moment) {
        NamespacePolicy here = moment.policy().forNamespace(review.namespace());
        return switch (review.object()) {
            case PodObject.ReadPod(PodRequest pod)
            when reserves(pod, here, moment) ->
                serially(review, pod, here, moment.deadline().within(Service.PATIENCE));
            case PodObject.ReadPod(PodRequest pod) -> byOffers(pod, here, moment.cluster());
            case PodObject.Absent _ -> Future.succeededFuture(UnreadablePod.absent(here.policy()));
            case PodObject.UnreadableObject(String problem) ->
                Future.succeededFuture(UnreadablePod.malformed(problem, here.policy()));
        };
    }

    private static boolean reserves(PodRequest pod, NamespacePolicy here, DecisionInputs moment) {
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
        return known.isCurrent(ObjectKind.NODES, now)
                ? Future.succeededFuture(Decider.decide(pod, policy, cluster))
                : Future.failedFuture(new NotNowException(known.objection(ObjectKind.NODES, now)));
    }

    private Future<Verdict> serially(
            AdmissionReview review, PodRequest pod, NamespacePolicy policy, Deadline deadline) {
        DecideRequest.ReviewEffect effect = review.dryRun() == AdmissionReview.DryRun.YES
                ? DecideRequest.ReviewEffect.DRY_RUN
                : DecideRequest.ReviewEffect.REAL;
        DecideRequest question = new DecideRequest(review.uid(), review.podName(), effect, pod, policy, deadline);
        return Service.DECIDE
                .ask(vertx, question, deadline)
                .recover(DecisionRouter::later)
                .compose(answer -> switch (answer) {
                    case DecideReply.Answered(Verdict verdict) -> Future.succeededFuture(verdict);
                    case DecideReply.NotNow(String why) -> Future.failedFuture(new NotNowException(why));
                    case DecideReply.Failed(Throwable fault) -> Future.failedFuture(fault);
                });
    }

    /** An owner who is busy, with a list of the whole cluster for example, is no fault: the next try may do. */
    private static Future<DecideReply> later(Throwable problem) {
        return problem instanceof ReplyException failed && failed.failureType() == ReplyFailure.TIMEOUT
                ? Future.succeededFuture(new DecideReply.NotNow("the decision took too long"))
                : Future.failedFuture(problem);
    }
}
