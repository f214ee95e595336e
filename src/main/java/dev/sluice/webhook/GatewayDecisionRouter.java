package dev.sluice.webhook;

import dev.sluice.admission.Decider;
import dev.sluice.admission.UnreadablePodDecision;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DecideReply;
import dev.sluice.bus.DecideRequest;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage.ObjectKind;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.doctor.ResourceFaults;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.kube.decode.AdmissionReview.PodObject;
import dev.sluice.replication.Member;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Decides on the event loop of the request if the decision only reads the snapshot. Otherwise the decision reserves
 * devices, and the owner of the ledger makes it.
 */
public final class GatewayDecisionRouter implements GatewayAdmissions.ReviewDecider {

    private final Vertx vertx;
    private final InstantSource clock;
    /**
     * The known faults that explain why resources are missing. They come from the newest diagnosis of the cluster. All
     * event loops read this field.
     */
    private volatile ResourceFaults faults = ResourceFaults.NONE;
    /**
     * The other replica that decides; empty if this replica decides, or if none is known. With this field, each event
     * loop can forward a review without a request to the owner of the ledger.
     */
    private volatile Optional<Member> elsewhere = Optional.empty();

    /**
     * Creates the router. {@code clock} must be the clock of the watches, because it is compared with the times that
     * they publish.
     */
    public GatewayDecisionRouter(Vertx vertx, InstantSource clock) {
        this.vertx = vertx;
        this.clock = clock;
        Topic.DIAGNOSES.subscribe(
                vertx,
                state -> faults = state instanceof DiagnosisState.Known known
                        ? known.report().faults()
                        : ResourceFaults.NONE);
        Topic.REPLICATION.subscribe(vertx, status -> elsewhere = status.elsewhere());
    }

    @Override
    public Future<Verdict> decide(AdmissionReview review, NamespacePolicy here, GatewayDecisionInputs moment) {
        return verdict(review, here, moment)
                .map(verdict -> review.object() instanceof PodObject.ReadPod(PodRequest pod)
                        ? withFaults(verdict, pod)
                        : verdict);
    }

    /** If the pod does not get a resource that it requests, adds the known faults of this resource to the verdict. */
    private Verdict withFaults(Verdict verdict, PodRequest pod) {
        Verdict result = verdict;
        for (DecisionCause.KnownFault fault : faults.lackedBy(verdict, pod)) {
            result = result.with(fault);
        }
        return result;
    }

    private Future<Verdict> verdict(AdmissionReview review, NamespacePolicy here, GatewayDecisionInputs moment) {
        return switch (review.object()) {
            case PodObject.ReadPod(PodRequest pod)
            when reserves(pod, here, moment) ->
                serially(review, pod, here, moment.deadline().within(Service.PATIENCE));
            case PodObject.ReadPod(PodRequest pod) -> byOffers(pod, here, moment);
            case PodObject.Absent _ -> Future.succeededFuture(UnreadablePodDecision.absent(here.policy()));
            case PodObject.UnreadableObject(String problem) ->
                Future.succeededFuture(UnreadablePodDecision.malformed(problem, here.policy()));
        };
    }

    private static boolean reserves(PodRequest pod, NamespacePolicy here, GatewayDecisionInputs moment) {
        return moment.policy().policies().reserve()
                && Decider.asksForGpu(pod, here, moment.cluster().claimed());
    }

    /**
     * Decides by the Allocatable of the nodes. With the policy {@code whenStale: retry}, the future fails if the
     * snapshot is not current.
     */
    private Future<Verdict> byOffers(PodRequest pod, NamespacePolicy here, GatewayDecisionInputs moment) {
        return here.policy().whenStale() == Policy.WhenStale.RETRY
                        && Decider.asksForGpu(pod, here, moment.cluster().claimed())
                ? byCurrentNodes(pod, here, moment)
                : Future.succeededFuture(Decider.decide(pod, here, moment.cluster()));
    }

    /**
     * Decides if the snapshot is current. Otherwise the future fails, so that the API server repeats the review:
     * another replica may have a current snapshot.
     */
    private Future<Verdict> byCurrentNodes(PodRequest pod, NamespacePolicy policy, GatewayDecisionInputs moment) {
        FreshnessMessage known = moment.freshness();
        Instant now = clock.instant();
        return known.isCurrent(ObjectKind.NODES, now)
                ? Future.succeededFuture(Decider.decide(pod, policy, moment.cluster()))
                : Future.failedFuture(new GatewayUnavailableException(known.blockedBy(ObjectKind.NODES, now)));
    }

    private Future<Verdict> serially(
            AdmissionReview review, PodRequest pod, NamespacePolicy policy, BusRequestDeadline deadline) {
        DecideRequest.ReviewEffect effect = effect(review, policy.policy());
        Optional<Member> other = elsewhere;
        if (other.isPresent() && effect != DecideRequest.ReviewEffect.OBSERVED) {
            return Future.failedFuture(new GatewayMustForwardException(other.get()));
        }
        DecideRequest question =
                new DecideRequest(review.uid(), review.podName(), review.owner(), effect, pod, policy, deadline);
        return Service.DECIDE
                .ask(vertx, question, deadline)
                .recover(GatewayDecisionRouter::notNowAfterTimeout)
                .compose(answer -> switch (answer) {
                    case DecideReply.Answered(Verdict verdict) -> Future.succeededFuture(verdict);
                    case DecideReply.NotNow(String why) -> Future.failedFuture(new GatewayUnavailableException(why));
                    case DecideReply.Elsewhere(Member holder) ->
                        Future.failedFuture(new GatewayMustForwardException(holder));
                    case DecideReply.Failed(Throwable fault) -> Future.failedFuture(fault);
                });
    }

    private static DecideRequest.ReviewEffect effect(AdmissionReview review, Policy policy) {
        if (policy.observes()) {
            return DecideRequest.ReviewEffect.OBSERVED;
        }
        return review.dryRun() == AdmissionReview.DryRun.YES
                ? DecideRequest.ReviewEffect.DRY_RUN
                : DecideRequest.ReviewEffect.REAL;
    }

    /**
     * If the owner of the ledger has not replied in time, returns the reply that no decision is possible now. This is
     * not a fault: the owner may be busy, for example with a list of the whole cluster, and the next attempt may
     * succeed.
     */
    private static Future<DecideReply> notNowAfterTimeout(Throwable problem) {
        return problem instanceof ReplyException failed && failed.failureType() == ReplyFailure.TIMEOUT
                ? Future.succeededFuture(new DecideReply.NotNow("the decision took too long"))
                : Future.failedFuture(problem);
    }
}
