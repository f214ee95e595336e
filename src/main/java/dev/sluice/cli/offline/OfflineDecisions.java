package dev.sluice.cli.offline;

import dev.sluice.admission.Decider;
import dev.sluice.admission.UnreadablePodDecision;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DecideRequest;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.kube.decode.AdmissionReview.PodObject;
import dev.sluice.lease.ReservingDecisions;
import dev.sluice.lease.ReservingDecisions.DecidedAnswer;
import dev.sluice.ledger.Ledger;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Decides reviews as a gateway does, with the ledger and the clock of the caller. The ledger keeps the reservations, so
 * each decision affects the next one. A policy that only observes is applied as if it were enforced.
 */
final class OfflineDecisions {

    /** No API server waits for the answers, so no time limit applies. */
    private static final Duration NEVER_LATE = Duration.ofDays(1);

    private final Ledger ledger;
    private final ReservingDecisions reserving;
    private ClusterSnapshot cluster;

    OfflineDecisions(Ledger ledger, InstantSource clock) {
        this.ledger = ledger;
        this.reserving = new ReservingDecisions(ledger, clock, (_, _, _) -> {});
        this.cluster = ledger.snapshot();
    }

    /**
     * Decides by what the nodes offer in total, without a reservation. The mode of the policy is ignored. Callers use
     * this method if their input does not show when pods end, because reservations for such pods would never end.
     */
    DecidedAnswer decideByOffers(AdmissionReview review, ActivePolicy policy) {
        refresh();
        return review.object() instanceof PodObject.ReadPod(PodRequest pod)
                ? unreserved(Decider.decide(pod, policy.forNamespace(review.namespace()), cluster))
                : decide(review, policy);
    }

    private void refresh() {
        if (ledger.hasChangedSince(cluster)) {
            cluster = ledger.snapshot();
        }
    }

    /** Returns the decision about the pod of a review. The review must be about the creation of a pod. */
    DecidedAnswer decide(AdmissionReview review, ActivePolicy policy) {
        refresh();
        NamespacePolicy here = policy.forNamespace(review.namespace());
        return switch (review.object()) {
            case PodObject.ReadPod(PodRequest pod)
            when policy.policies().reserve() && Decider.asksForGpu(pod, here, cluster.claimed()) ->
                reserving.decide(request(review, pod, here), cluster);
            case PodObject.ReadPod(PodRequest pod) -> unreserved(Decider.decide(pod, here, cluster));
            case PodObject.Absent _ -> unreserved(UnreadablePodDecision.absent(here.policy()));
            case PodObject.UnreadableObject(String problem) ->
                unreserved(UnreadablePodDecision.malformed(problem, here.policy()));
        };
    }

    /** Removes remembered answers that are no longer needed. The caller must call this method regularly. */
    void sweep() {
        reserving.sweep();
    }

    private static DecidedAnswer unreserved(Verdict verdict) {
        return new DecidedAnswer(verdict, "");
    }

    private static DecideRequest request(AdmissionReview review, PodRequest pod, NamespacePolicy here) {
        return new DecideRequest(
                review.uid(),
                review.podName(),
                review.owner(),
                review.dryRun() == AdmissionReview.DryRun.YES
                        ? DecideRequest.ReviewEffect.DRY_RUN
                        : DecideRequest.ReviewEffect.REAL,
                pod,
                here,
                BusRequestDeadline.in(NEVER_LATE));
    }
}
