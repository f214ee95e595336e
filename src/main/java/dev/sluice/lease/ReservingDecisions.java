package dev.sluice.lease;

import dev.sluice.admission.Decider;
import dev.sluice.admission.Decision;
import dev.sluice.admission.DecisionFreeCapacity;
import dev.sluice.admission.FreeCapacity;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.DecideRequest;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodPriority;
import dev.sluice.ledger.Ledger;
import dev.sluice.ledger.LedgerAssumeResult;
import dev.sluice.ledger.LedgerNotReservedReason;
import dev.sluice.ledger.placement.PlacementOrigin;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicatedEntry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Decides about pods and reserves resources for one pod after another, so that no capacity is reserved twice. */
public final class ReservingDecisions {

    /** The maximum number of ended reservations that are remembered. */
    private static final int MOST_ENDS = 4_096;

    /**
     * A verdict, and the reservation that belongs to it.
     *
     * @param stamp the identifier of the reservation; empty if nothing is reserved
     */
    public record DecidedAnswer(Verdict verdict, String stamp) {
        private static DecidedAnswer unreserved(Verdict verdict) {
            return new DecidedAnswer(verdict, "");
        }

        boolean isReserved() {
            return !stamp.isEmpty();
        }
    }

    /**
     * Receives each decision that reserves resources or ends a reservation, so that it can be sent to other replicas.
     */
    public interface ReservationListener {
        void reserved(String stamp, String uid, ReplicatedDecision decision);
    }

    private final Ledger ledger;
    private final InstantSource clock;
    private final ReservationListener listener;
    private final ReservingDecisionCache issued;
    private final FreeCapacity free;
    /**
     * The ended reservations whose end may still have to be sent to other replicas. The key is the stamp, which
     * identifies the reservation. The value is the time at which the entry is no longer needed, because other replicas
     * have then ended the reservation themselves.
     */
    private final SequencedMap<String, Instant> ends = new LinkedHashMap<>();

    public ReservingDecisions(Ledger ledger, InstantSource clock, ReservationListener listener) {
        this.ledger = ledger;
        this.clock = clock;
        this.listener = listener;
        this.issued = new ReservingDecisionCache(ledger::isAssumed);
        this.free = new DecisionFreeCapacity(ledger);
        ledger.onExpiry(this::expired);
    }

    /**
     * Tells other replicas that a reservation has ended, because its pod can no longer appear. A replica that received
     * the decision late would otherwise keep the reservation longer.
     */
    private void expired(String stamp, String namespace) {
        tellEnd(stamp, namespace, "");
    }

    private FreeCapacity freeByPreemption(DecideRequest request, Instant now) {
        PlacementOrigin origin = ReservingReviewOrigins.of(request);
        PodPriority priority = priority(request);
        return new DecisionFreeCapacity(ledger, (need, constraints) -> {
            PlacementRequest preemptor = new PlacementRequest(
                    "", request.namespace(), need, constraints, /* promised= */ true, origin, priority);
            return ledger.isFree(need, constraints) || ledger.isFreeByPreemption(preemptor, now);
        });
    }

    /**
     * Ends the reservations of pods that were refused after the decision. {@link Ledger#passTime} explains how such
     * pods are recognised. The owner of the ledger calls this method several times a second, so that the capacity
     * becomes free soon.
     */
    void passTime() {
        ledger.passTime(clock.instant());
    }

    /** Records that pods may be stored now that the ledger does not know; see {@link Ledger#doubt}. */
    void doubt() {
        doubt(clock.instant());
    }

    /** Records that the API server did not answer at this time; see {@link Ledger#doubt}. */
    void doubt(Instant moment) {
        ledger.doubt(moment);
    }

    /** Records whether an answer of the API server is late; see {@link Ledger#awaitAnswer}. */
    void awaitAnswer(boolean isLate) {
        ledger.awaitAnswer(isLate);
    }

    /** Removes answers that are no longer needed. The owner of the ledger calls this method regularly. */
    public void sweep() {
        issued.sweep();
        ends.values().removeIf(over -> !clock.instant().isBefore(over));
    }

    /** Applies a decision of another replica, which holds the Lease. */
    void follow(ReplicatedEntry<ReplicatedDecision> entry, List<ReplicatedEntry<ReplicatedDecision>> replaced) {
        for (ReplicatedEntry<ReplicatedDecision> older : replaced) {
            if (!older.stamp().equals(entry.stamp())) {
                ledger.forget(older.stamp());
                ledger.replaced(older.stamp(), entry.stamp());
            }
        }
        PlacementRequest placement = entry.change().placement();
        if (entry.change().isEnd()) {
            ledger.forget(entry.stamp());
            ledger.endNamed(placement.namespace(), placement.origin().name());
            keepEnd(entry.stamp());
        } else {
            ledger.assumeAsDecided(placement, entry.change().preempted(), clock.instant());
            issued.follow(entry);
        }
    }

    /**
     * Tells other replicas that the reservation of a pod has ended, because a new decision about the pod reserves
     * nothing. The new decision is not sent to them.
     *
     * @param stamp the stamp of the reservation, or a new stamp. With a new stamp, other replicas find the reservation
     *     by the name of the pod
     */
    private void tellEnd(String stamp, DecideRequest request) {
        tellEnd(stamp, request.namespace(), ReservingReviewOrigins.of(request).name());
    }

    private void tellEnd(String stamp, String namespace, String name) {
        keepEnd(stamp);
        listener.reserved(stamp, stamp, ReplicatedDecision.endOf(stamp, namespace, name));
    }

    private void keepEnd(String stamp) {
        ends.putLast(stamp, clock.instant().plus(ledger.longestCreate()));
        if (ends.size() > MOST_ENDS) {
            var _ = ends.pollFirstEntry();
        }
    }

    /**
     * Ends a reservation that this replica has received from another replica, but that the holder of the Lease does not
     * have.
     */
    void forget(ReplicatedEntry<ReplicatedDecision> entry) {
        ledger.forget(entry.stamp());
    }

    /** Prepares for decisions of this process after it has become the holder of the Lease. */
    void beginTerm() {
        issued.dropAnswers();
    }

    /**
     * Returns true if other replicas still need this entry: the watch has not shown the pod of the decision yet, or the
     * end of its reservation may still have to be sent to them.
     */
    boolean isAssumed(ReplicatedEntry<ReplicatedDecision> entry) {
        return entry.change().isEnd()
                ? ends.containsKey(entry.stamp())
                : ledger.isAssumed(entry.stamp(), entry.change().placement().namespace());
    }

    /**
     * Decides about a pod, and reserves the resources that it gets. Nothing is reserved if the review is a dry run, or
     * if the policy only observes.
     *
     * @param cluster the newest snapshot of the ledger
     */
    public DecidedAnswer decide(DecideRequest request, ClusterSnapshot cluster) {
        Instant now = clock.instant();
        ledger.passTime(now);
        return request.effect() == DecideRequest.ReviewEffect.REAL
                ? real(request, cluster, now)
                : DecidedAnswer.unreserved(decision(request, cluster, now).verdict());
    }

    private DecidedAnswer real(DecideRequest request, ClusterSnapshot cluster, Instant now) {
        return issued.sameCall(request)
                .map(earlier -> repeated(earlier, request, cluster, now))
                .or(() -> issued.reinvoked(request)
                        .filter(earlier -> isOfSamePod(earlier, request, cluster, now))
                        .map(earlier ->
                                ledger.decideAgain(earlier.stamp(), () -> again(earlier, request, cluster, now))))
                .orElseGet(() -> first(request, cluster, now));
    }

    private DecidedAnswer repeated(
            ReservingDecisionCache.IssuedDecision earlier,
            DecideRequest request,
            ClusterSnapshot cluster,
            Instant now) {
        Verdict.Allowed answer = earlier.answer();
        if (answer != null && ledger.answerAgain(earlier.stamp(), earlier.namespace(), now)) {
            return new DecidedAnswer(answer, earlier.stamp());
        }
        DecidedAnswer anew =
                ledger.decideAnew(earlier.stamp(), now, () -> first(request, cluster, now), DecidedAnswer::isReserved);
        if (anew.isReserved()) {
            ledger.replaced(earlier.stamp(), anew.stamp());
        }
        return anew;
    }

    /**
     * Returns true if the pod requests at least the GPUs that the earlier decision reserved. It may request more,
     * because other webhooks may have added GPUs since. A pod with fewer or other GPUs counts as a different pod.
     */
    private boolean isOfSamePod(
            ReservingDecisionCache.IssuedDecision earlier,
            DecideRequest request,
            ClusterSnapshot cluster,
            Instant now) {
        GpuRequest gpus = GpuRequest.of(request.pod(), request.policy().policy(), cluster.claimed());
        return ledger.inFlight(earlier.stamp(), earlier.namespace(), now)
                .filter(reserved -> gpus.need(UnaryOperator.identity()).covers(reserved.only(gpus.isGpu())))
                .isPresent();
    }

    /**
     * Decides again about a pod that other webhooks may have changed. The caller has released the first reservation of
     * the pod, so its resources count as free. The new reservation gets the same stamp.
     */
    private DecidedAnswer again(
            ReservingDecisionCache.IssuedDecision earlier,
            DecideRequest request,
            ClusterSnapshot cluster,
            Instant now) {
        ledger.endNamed(request.namespace(), ReservingReviewOrigins.of(request).name());
        Decision decision = decision(request, cluster, now);
        if (!(decision.verdict() instanceof Verdict.Allowed allowed)
                || decision.claim().isEmpty()) {
            tellEnd(earlier.stamp(), request);
            return DecidedAnswer.unreserved(decision.verdict());
        }
        Decision.Claim claim = decision.claim().get();
        Optional<LedgerNotReservedReason> notReserved = assumed(earlier.stamp(), request, allowed, claim, now);
        if (notReserved.isPresent()) {
            tellEnd(earlier.stamp(), request);
            return DecidedAnswer.unreserved(notReserved(allowed, notReserved.get(), request));
        }
        return new DecidedAnswer(issued.again(earlier, request, allowed, claim.isFree()), earlier.stamp());
    }

    /** Decides about a pod. Reservations of other pods are preempted only if the free capacity is not enough. */
    private Decision decision(DecideRequest request, ClusterSnapshot cluster, Instant now) {
        Decision decision = Decider.decide(request.pod(), request.policy(), cluster, free);
        if (!isExhausted(decision) || !ledger.mayPreempt(request.namespace(), now)) {
            return decision;
        }
        Decision preempting = Decider.decide(request.pod(), request.policy(), cluster, freeByPreemption(request, now));
        return hasRoom(preempting) ? preempting : decision;
    }

    private static boolean isExhausted(Decision decision) {
        return switch (decision.verdict()) {
            case Verdict.Denied denied -> denied.reason() == Reason.EXHAUSTED;
            case Verdict.Allowed allowed -> allowed.reason() == Reason.EXHAUSTED && !hasRoom(decision);
            case Verdict.NoGpu _ -> false;
        };
    }

    private static boolean hasRoom(Decision decision) {
        return decision.claim().filter(Decision.Claim::isFree).isPresent();
    }

    private DecidedAnswer first(DecideRequest request, ClusterSnapshot cluster, Instant now) {
        boolean hasEnded = ledger.endNamed(
                request.namespace(), ReservingReviewOrigins.of(request).name());
        Decision decision = decision(request, cluster, now);
        if (decision.verdict() instanceof Verdict.Denied) {
            ledger.denied(request.namespace(), ReservingReviewOrigins.of(request), now);
        }
        DecidedAnswer answer = decision.verdict() instanceof Verdict.Allowed allowed
                        && decision.claim().isPresent()
                ? reserved(allowed, decision.claim().get(), request, now)
                : DecidedAnswer.unreserved(decision.verdict());
        if (hasEnded && !answer.isReserved()) {
            tellEnd(UUID.randomUUID().toString(), request);
        }
        return answer;
    }

    /**
     * Reserves the resources of the decision, and adds the stamp to the answer. By the stamp, the gateway recognises
     * the pod when the watch shows it. A pod gets no stamp if it is left unchanged, or if it has no space for another
     * annotation. The gateway may count such a pod twice until the reservation expires, which is safer than not
     * counting it.
     */
    private DecidedAnswer reserved(Verdict.Allowed verdict, Decision.Claim claim, DecideRequest request, Instant now) {
        String stamp = UUID.randomUUID().toString();
        Optional<LedgerNotReservedReason> notReserved = assumed(stamp, request, verdict, claim, now);
        if (notReserved.isPresent()) {
            return DecidedAnswer.unreserved(notReserved(verdict, notReserved.get(), request));
        }
        Verdict.Allowed answer = stamped(verdict, request, stamp);
        issued.add(ReservingDecisionCache.IssuedDecision.of(request, stamp, answer, claim.isFree()));
        return new DecidedAnswer(answer, stamp);
    }

    /**
     * Reserves the resources of the decision. Returns the reason why nothing was reserved; empty if something was
     * reserved.
     */
    private Optional<LedgerNotReservedReason> assumed(
            String stamp, DecideRequest request, Verdict.Allowed verdict, Decision.Claim claim, Instant now) {
        PlacementRequest placement = new PlacementRequest(
                stamp,
                request.namespace(),
                claim.need(),
                claim.where(),
                claim.isFree(),
                ReservingReviewOrigins.of(request),
                priority(request));
        LedgerAssumeResult assumed = ledger.assume(placement, now);
        if (assumed.notReserved().isEmpty()) {
            String uid = issued.replicatedUid(request, stamp);
            listener.reserved(
                    stamp,
                    uid,
                    new ReplicatedDecision(
                            placement,
                            uid.equals(stamp) ? "" : request.podName(),
                            request.pod().hashCode(),
                            verdict.outcome(),
                            verdict.reason(),
                            assumed.preempted()));
        }
        return assumed.notReserved();
    }

    private static Verdict.Allowed stamped(Verdict.Allowed verdict, DecideRequest request, String stamp) {
        return verdict.outcome() == Verdict.Outcome.UNTOUCHED
                ? verdict
                : ReservingDecisionStamp.stamped(verdict, request.pod(), stamp).orElse(verdict);
    }

    /**
     * Adds a warning that nothing is reserved for the pod. The ledger counts the pod only after the watch has shown it.
     */
    private static Verdict notReserved(Verdict.Allowed verdict, LedgerNotReservedReason why, DecideRequest request) {
        Verdict.Allowed warned = verdict.with(new DecisionCause.NothingReserved(why.reason()));
        // A stamp that the pod already has identifies an earlier decision. A new stamp replaces it.
        return request.pod().annotations().values().containsKey(Pod.STAMP)
                ? stamped(warned, request, UUID.randomUUID().toString())
                : warned;
    }

    /**
     * Returns the priority of the pod. If the policy ignores preemption, a pod with the returned priority preempts no
     * other pods.
     */
    private static PodPriority priority(DecideRequest request) {
        PodPriority priority = request.pod().priority();
        return switch (request.policy().policy().preemption()) {
            case COUNT -> priority;
            case IGNORE -> priority.withoutPreemption();
        };
    }
}
