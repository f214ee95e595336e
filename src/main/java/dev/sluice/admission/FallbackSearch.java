package dev.sluice.admission;

import dev.sluice.admission.patch.PodPatch;
import dev.sluice.admission.patch.PodPatch.Attempt;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.NamespaceLimits;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.Policy.Mode;
import dev.sluice.admission.request.Policy.WhenGated;
import dev.sluice.admission.request.ReinvokedPodRequest;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.DecisionCause.UnreadablePart;
import dev.sluice.admission.verdict.DecisionCauseContainers;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Verdict.Outcome;
import dev.sluice.cluster.ClusterGpuEvidence;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.MisspeltGpuResource;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Searches for the first combination of candidates that fits on a node. A combination contains each requested resource
 * or one of its fallbacks. In allocatable mode, the Allocatable of the node must be enough; in availability mode, its
 * free capacity. If no combination fits, the policy determines the verdict. A search can run only once.
 */
final class FallbackSearch {

    final GpuRequest request;
    final Mode mode;
    final FallbackCandidateDemand demand;
    final FreeCapacity capacity;
    /**
     * The combinations that were tried and rejected, because no node has enough for them or a LimitRange refuses them.
     */
    final List<List<PodRequestReplacement>> rejectedCombinations = new ArrayList<>(0);

    private final NamespacePolicy policy;
    private final Optional<ReinvokedPodRequest> secondLook;
    private final ClusterSnapshot cluster;
    private final SearchVerdicts verdicts;
    private @Nullable FallbackCandidates candidates;
    private @Nullable Verdict verdict;
    /** True if some node offers everything that the pod requests as written. */
    private boolean offered;
    /** True if the pod is admitted although its resources are in use, so that it has to wait. */
    private boolean waits;
    /**
     * The combination at which the search stopped, because it is unknown whether DRA has enough devices for it. The
     * value is null if the search did not stop for this reason.
     */
    private @Nullable List<PodRequestReplacement> stoppedAt;
    /** True if a LimitRange has ruled out a combination. */
    private boolean limited;

    FallbackSearch(PodRequest pod, NamespacePolicy policy, Mode mode, ClusterSnapshot cluster, FreeCapacity capacity) {
        this(pod, policy, mode, cluster, capacity, secondLook(pod, policy, mode, cluster, capacity));
    }

    private FallbackSearch(
            PodRequest pod,
            NamespacePolicy policy,
            Mode mode,
            ClusterSnapshot cluster,
            FreeCapacity capacity,
            Optional<ReinvokedPodRequest> secondLook) {
        this.secondLook = secondLook;
        this.request = GpuRequest.of(
                secondLook.isEmpty() ? pod : secondLook.get().asked(), policy.policy(), cluster.claimed());
        this.policy = policy;
        this.mode = mode;
        this.capacity = capacity;
        this.cluster = cluster.forOnePod(request.pod().constraints());
        this.demand = new FallbackCandidateDemand(request, policy);
        this.verdicts = new SearchVerdicts(request, policy, demand, secondLook);
    }

    /**
     * If this is the second review of a pod that Sluice has changed, returns the original request of the pod. Returns
     * empty for any other pod. A pod without the annotation that lists the changes counts as changed if it has the
     * annotation {@code gpu-webhook.k8s.io/decision}, or if Sluice would make the same changes again.
     */
    private static Optional<ReinvokedPodRequest> secondLook(
            PodRequest pod, NamespacePolicy policy, Mode mode, ClusterSnapshot cluster, FreeCapacity capacity) {
        return ReinvokedPodRequest.of(pod, policy)
                .or(() -> ReinvokedPodRequest.supposed(pod, policy).filter(look -> {
                    if (pod.annotations().stamp() != null) {
                        return true;
                    }
                    FallbackSearch first =
                            new FallbackSearch(look.asked(), policy, mode, cluster, capacity, Optional.empty());
                    first.run();
                    return first.end().containsAll(look.writtenBack().keySet());
                }));
    }

    Verdict verdict() {
        return Objects.requireNonNull(verdict, "the search has not been run");
    }

    /**
     * Removes the messages that the user has already received at the first review of the pod. The messages stay if the
     * second review makes other replacements, or changes a container with a replaced resource again.
     */
    private Verdict told(Verdict found) {
        if (secondLook.isEmpty()
                || !(found instanceof Verdict.Allowed allowed)
                || allowed.moves().isEmpty()) {
            return found;
        }
        Reason reason = waits ? Reason.EXHAUSTED : Reason.OFFERED;
        if (!allowed.changesGpus()) {
            return allowed.unchanged(reason);
        }
        return secondLook.get().earlier().equals(allowed.moves()) && changesOnlyOthers(allowed)
                ? allowed.withLimitsOnly(reason)
                : found;
    }

    /** Returns true if the patch changes no container that has a replaced resource. */
    private boolean changesOnlyOthers(Verdict.Allowed allowed) {
        return allowed.moves().stream()
                .flatMap(move -> request.containersRequesting(move.asked()).stream())
                .noneMatch(container -> PodPatch.changes(container, allowed.patch()));
    }

    /**
     * Returns the candidates. They are created on the first call, because a pod that fits as written does not need
     * them.
     */
    FallbackCandidates candidates() {
        if (candidates == null) {
            candidates = new FallbackCandidates(request, policy.policy().chains(), cluster);
        }
        return candidates;
    }

    private DecisionCauseFinder find() {
        return new DecisionCauseFinder(request, candidates(), cluster, capacity, limited);
    }

    List<PodRequestReplacement> end() {
        return verdicts.end();
    }

    boolean waits() {
        return waits;
    }

    /**
     * Returns the combination at which the search stopped, because it is unknown whether DRA has enough devices for it.
     * Returns empty if the search did not stop for this reason.
     */
    Optional<List<PodRequestReplacement>> stoppedAt() {
        return Optional.ofNullable(stoppedAt);
    }

    void run() {
        verdict = told(early().orElseGet(this::search));
    }

    /**
     * Runs the search, unless the pod requests a negative amount. The API server refuses such a pod, but the ledger
     * would count the negative amount as additional free capacity.
     */
    void runUnlessNegative() {
        verdict = told(early().orElseGet(
                        () -> request.pod().hasNegative() ? verdicts.untouched(Reason.INVALID_QUANTITY) : search()));
    }

    /**
     * Returns the resources to reserve for the pod. Returns empty if the pod requests no GPU, is denied or cannot be
     * evaluated, or if the API server will refuse it. Also returns empty for a pod with scheduling gates, because the
     * scheduler does not place it yet.
     */
    Optional<Decision.Claim> claim() {
        if (!(verdict() instanceof Verdict.Allowed allowed)
                || request.resources().isEmpty()
                || allowed.reason() == Reason.INVALID_QUANTITY
                || allowed.reason() == Reason.CANNOT_BE_EVALUATED
                || request.pod().gated()) {
            return Optional.empty();
        }
        Amounts need = FallbackCandidateDemand.asWritten(GpuRequest.of(verdicts.admitted(), request.isGpu()));
        NodeConstraints where = PodRequestReplacement.constraints(request.pod().constraints(), end());
        return Optional.of(new Decision.Claim(need, where, capacity.isFree(need, where) || isPreemptible(need, end())));
    }

    /**
     * Returns true if the policy considers preemption, and the scheduler can make room for the pod by preemption.
     * Returns false if the pod sets its {@code nodeName}, because the scheduler does not place such a pod.
     */
    private boolean isPreemptible(Amounts need, List<PodRequestReplacement> moves) {
        return policy.policy().preemption() == Policy.PreemptionMode.COUNT
                && request.pod().constraints().nodeName() == null
                && capacity.isPreemptible(
                        need,
                        PodRequestReplacement.constraints(request.pod().constraints(), moves),
                        request.pod().priority());
    }

    private boolean mayBeFree(Amounts need, List<PodRequestReplacement> moves) {
        return cluster.claimed().isUnknown()
                || capacity.mayBeFree(
                        need, PodRequestReplacement.constraints(request.pod().constraints(), moves));
    }

    private boolean isFree(Amounts need, List<PodRequestReplacement> moves) {
        return capacity.isFree(
                need, PodRequestReplacement.constraints(request.pod().constraints(), moves));
    }

    /** Returns the verdict if it does not depend on the nodes of the cluster. Returns empty otherwise. */
    private Optional<Verdict> early() {
        if (request.resources().isEmpty()) {
            return Optional.of(verdicts.withoutGpuRequest());
        }
        verdicts.aboutFallbackMode().ifPresent(verdicts::tell);
        verdicts.aboutMissingRules().ifPresent(verdicts::tell);
        Optional<String> notEvaluated = request.pod().constraints().whyNotEvaluated();
        if (notEvaluated.isPresent()) {
            return Optional.of(notEvaluated(notEvaluated.get()));
        }
        if (request.resources().size() > FallbackCandidates.MOST) {
            // The limit of combinations is also the limit of resources, because each resource makes a decision slower
            // and its messages longer.
            verdicts.tell(new DecisionCause.TooManyCombinations(FallbackCandidates.MOST));
            return Optional.of(verdicts.untouched(Reason.TOO_MANY_COMBINATIONS));
        }
        return request.isLegal() ? Optional.empty() : Optional.of(verdicts.untouched(Reason.INVALID_QUANTITY));
    }

    private Verdict notEvaluated(String why) {
        Verdict verdict =
                UnreadablePodDecision.verdict(UnreadablePart.NODE_CONSTRAINTS, why, verdicts.causes(), policy.policy());
        if (secondLook.isEmpty() || verdict instanceof Verdict.Denied) {
            return verdict;
        }
        verdicts.tell(new DecisionCause.Unreadable(UnreadablePart.NODE_CONSTRAINTS, why, /* denied= */ false));
        return verdicts.untouched(Reason.CANNOT_BE_EVALUATED);
    }

    private Verdict search() {
        Amounts asked = request.need(name -> name);
        offered = cluster.offers(asked, request.pod().constraints());
        Optional<Verdict> asWritten = offered ? trial(List.of()) : Optional.empty();
        if (asWritten.isPresent()) {
            return asWritten.get();
        }
        if (!offered && cluster.mayOffer(asked, request.pod().constraints())) {
            return keptForClaims(List.of());
        }
        // No node can have a resource whose name Kubernetes refuses, so an offered resource needs no check.
        Optional<DecisionCause> illegalName = offered ? Optional.empty() : illegalName();
        if (illegalName.isPresent()) {
            verdicts.tell(illegalName.get());
            return verdicts.untouched(Reason.PATCH_NOT_LEGAL);
        }
        if (!clusterHasGpu()) {
            return traceOfGpus().map(this::untilGpusCome).orElseGet(this::withoutGpuInCluster);
        }
        if (isWrittenBack()) {
            return keptAsWrittenBack();
        }
        if (request.pod().gated() && policy.policy().whenGated() == WhenGated.KEEP) {
            return keptWhileGated();
        }
        if (candidates().areTooMany()) {
            verdicts.tell(new DecisionCause.TooManyCombinations(FallbackCandidates.MOST));
            return verdicts.allowed(Outcome.UNTOUCHED, Reason.TOO_MANY_COMBINATIONS, List.of());
        }
        return candidates().first(this::combination).orElseGet(this::unavailable);
    }

    /** Returns the cause if the API server refuses the name of a requested resource. */
    private Optional<DecisionCause> illegalName() {
        for (ResourceName asked : request.resources()) {
            if (asked.whyRefusedInContainer().isPresent()) {
                String hint = MisspeltGpuResource.of(asked)
                        .map(meant -> "; did you mean " + meant + "?")
                        .orElse("");
                return Optional.of(new DecisionCause.IllegalPod(
                        "the resource " + asked + " has a name that Kubernetes refuses" + hint, /* asWritten= */ true));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns true if another webhook has restored a request that Sluice had changed. Sluice then keeps the pod as
     * written, because the webhook would undo a second change as well.
     */
    private boolean isWrittenBack() {
        return secondLook.isPresent() && !secondLook.get().writtenBack().isEmpty();
    }

    private Verdict keptAsWrittenBack() {
        secondLook
                .orElseThrow()
                .writtenBack()
                .forEach((move, containers) -> verdicts.tell(new DecisionCause.WrittenBack(
                        DecisionCauseContainers.of(containers), move.asked(), find().placedBy())));
        return verdicts.keptForGood();
    }

    private Verdict keptWhileGated() {
        List<ResourceName> missing = request.resources().stream()
                .filter(asked -> !candidates().of(asked).isOffered(0))
                .toList();
        for (ResourceName asked : missing.isEmpty() ? request.resources() : missing) {
            verdicts.tell(find().keptWhileGated(asked));
        }
        return verdicts.allowed(Outcome.KEPT, Reason.GATED, List.of());
    }

    /**
     * Returns the verdict for a pod if it is unknown whether DRA has enough devices for these replacements. The pod is
     * kept as written, because the devices may exist. The search does not try later candidates, because they are worse
     * substitutes.
     */
    private Verdict keptForClaims(List<PodRequestReplacement> moves) {
        for (ResourceName asked : uncertain(moves)) {
            ResourceName candidate = PodRequestReplacement.given(moves).apply(asked);
            verdicts.tell(new DecisionCause.KeptForClaims(
                    find().containers(asked),
                    asked,
                    candidate,
                    cluster.claimed().classOf(candidate).orElse("")));
        }
        stoppedAt = moves;
        return verdicts.allowed(Outcome.KEPT, Reason.KEPT_AS_WRITTEN, List.of());
    }

    /**
     * Returns the requested resources whose candidate in this combination is not certainly offered. If all candidates
     * are certainly offered, it is only unknown whether their devices are free. The result is then the resources that
     * DRA provides or, if there are none, all requested resources.
     */
    private List<ResourceName> uncertain(List<PodRequestReplacement> moves) {
        List<ResourceName> missing = request.resources().stream()
                .filter(asked -> {
                    FallbackCandidates.Row row = candidates().of(asked);
                    return !row.isOffered(row.resources()
                            .indexOf(PodRequestReplacement.given(moves).apply(asked)));
                })
                .toList();
        List<ResourceName> claimed = request.resources().stream()
                .filter(asked -> cluster.claimed()
                        .classOf(PodRequestReplacement.given(moves).apply(asked))
                        .isPresent())
                .toList();
        return !missing.isEmpty() ? missing : claimed.isEmpty() ? request.resources() : claimed;
    }

    private boolean clusterHasGpu() {
        if (cluster.claimed().speakOfGpus()) {
            return true;
        }
        for (ResourceName device : cluster.devices()) {
            if (request.isGpu().test(device)) {
                return true;
            }
        }
        return false;
    }

    private Optional<Verdict> combination(List<PodRequestReplacement> moves) {
        Optional<Verdict> found = trial(moves);
        if (found.isEmpty()) {
            rejectedCombinations.add(moves);
        }
        return found;
    }

    /**
     * Returns the verdict for the pod with these replacements; empty if the pod then fits on no node, or if a
     * LimitRange refuses it. The verdict is a denial if the injection rules refuse the pod after the replacements.
     */
    private Optional<Verdict> trial(List<PodRequestReplacement> moves) {
        return switch (mode) {
            case ALLOCATABLE ->
                isOffered(moves)
                        ? Optional.of(fits(moves))
                        : mayBeOffered(moves) ? Optional.of(keptForClaims(moves)) : Optional.empty();
            case AVAILABILITY -> {
                Optional<Amounts> need = demand.after(moves);
                if (need.isEmpty()) {
                    yield Optional.of(verdicts.refused(moves));
                }
                if (!isAllowed(moves)) {
                    yield Optional.empty();
                }
                if (isFree(need.get(), moves)) {
                    yield Optional.of(fits(moves));
                }
                if (isPreemptible(need.get(), moves)) {
                    yield Optional.of(preempts(moves, need.get()));
                }
                yield mayBeFree(need.get(), moves) ? Optional.of(keptForClaims(moves)) : Optional.empty();
            }
        };
    }

    private boolean isOffered(List<PodRequestReplacement> moves) {
        return moves.isEmpty() ? offered : candidates().areOfferedTogether(moves) && isAllowed(moves);
    }

    private boolean mayBeOffered(List<PodRequestReplacement> moves) {
        return candidates().mayBeOfferedTogether(moves) && isAllowed(moves);
    }

    /** Returns true if no LimitRange refuses the pod after these resources are replaced. */
    private boolean isAllowed(List<PodRequestReplacement> moves) {
        boolean allowed = isWithinLimits(moves);
        limited |= !allowed;
        return allowed;
    }

    /** Returns true if a LimitRange refuses the pod because of this replacement alone. */
    boolean isRuledOut(PodRequestReplacement move) {
        return !isWithinLimits(List.of(move));
    }

    private boolean isWithinLimits(List<PodRequestReplacement> moves) {
        NamespaceLimits limits = policy.limits();
        return moves.isEmpty()
                || limits.rules().isEmpty()
                || !(PodPatch.attempt(request, moves, policy.withoutInjection())
                        instanceof Attempt.PodChanged(PodPatch change))
                || limits.allow(change.after(), moves);
    }

    /** Returns the verdict for a pod that fits only after the scheduler has preempted pods of lower priority. */
    private Verdict preempts(List<PodRequestReplacement> moves, Amounts need) {
        ResourceName asked = request.resources().getFirst();
        verdicts.tell(find().preempts(asked, PodRequestReplacement.given(moves).apply(asked), need));
        return fits(moves);
    }

    private Verdict fits(List<PodRequestReplacement> moves) {
        if (moves.isEmpty()) {
            secondLook.ifPresent(this::tellTakenBack);
            return verdicts.allowed(Outcome.UNCHANGED, Reason.OFFERED, moves);
        }
        for (PodRequestReplacement move : moves) {
            boolean isExhausted =
                    mode == Mode.AVAILABILITY && candidates().of(move.asked()).isOffered(0);
            verdicts.tell(
                    isExhausted
                            ? find().substitutedAsExhausted(move, demandAfter(List.of()))
                            : find().substituted(move));
        }
        Reason reason = mode == Mode.AVAILABILITY && offered ? Reason.EXHAUSTED : Reason.NOT_OFFERED;
        return verdicts.allowed(Outcome.CHANGED, reason, moves);
    }

    private void tellTakenBack(ReinvokedPodRequest look) {
        look.restored()
                .forEach((move, containers) -> verdicts.tell(new DecisionCause.TakenBack(
                        DecisionCauseContainers.of(containers), move.asked(), move.given())));
    }

    /**
     * Returns the amounts that the pod uses on its node after the replacements. If the injection rules refuse the pod,
     * the pod is denied and the amounts are zero.
     */
    private Amounts demandAfter(List<PodRequestReplacement> moves) {
        return demand.after(moves).orElse(Amounts.NONE);
    }

    /**
     * Returns the verdict for a pod for which no combination fits. If a combination is offered but in use,
     * {@code whenExhausted} of the policy lets the pod wait or denies it. If none is offered, and always in allocatable
     * mode, {@code whenNotOffered} of the policy decides.
     */
    private Verdict unavailable() {
        Optional<List<PodRequestReplacement>> awaited = switch (mode) {
            case ALLOCATABLE -> Optional.empty();
            case AVAILABILITY ->
                offered
                        ? Optional.of(List.of())
                        : candidates().first(moves -> Optional.of(moves).filter(this::isOffered));
        };
        if (awaited.isEmpty()) {
            return notOffered();
        }
        return switch (policy.policy().whenExhausted()) {
            case WAIT -> waiting(awaited.get());
            case DENY -> verdicts.denied(Reason.EXHAUSTED, find().exhausted(culprit(), demandAfter(List.of())));
        };
    }

    /**
     * Returns the resource that a denial names. This is the first requested resource that no node offers. If all
     * requested resources are offered, it is a resource that is in use.
     */
    private ResourceName culprit() {
        return request.resources().stream()
                .filter(asked -> !candidates().of(asked).isOffered(0))
                .findFirst()
                .orElseGet(() -> find().scarce().getFirst());
    }

    /**
     * Admits the pod with these replacements although their resources are in use. The message names the resources for
     * which the pod waits.
     */
    private Verdict waiting(List<PodRequestReplacement> moves) {
        waits = true;
        Amounts total = demandAfter(moves);
        if (moves.isEmpty()) {
            find().scarce().forEach(asked -> verdicts.tell(find().waits(asked, total)));
        }
        moves.forEach(move -> verdicts.tell(find().substitutedAndWaits(move, total)));
        return verdicts.allowed(moves.isEmpty() ? Outcome.UNCHANGED : Outcome.CHANGED, Reason.EXHAUSTED, moves);
    }

    private Verdict notOffered() {
        List<ResourceName> hopeless = candidates().hopeless();
        // If each resource has an offered candidate, but no node offers them together, the message names all resources.
        List<ResourceName> culprits = hopeless.isEmpty() ? request.resources() : hopeless;
        return switch (policy.policy().whenNotOffered()) {
            case KEEP -> {
                culprits.forEach(asked -> verdicts.tell(find().keptAsWritten(asked)));
                yield verdicts.allowed(Outcome.KEPT, Reason.KEPT_AS_WRITTEN, List.of());
            }
            case DENY -> verdicts.denied(Reason.NOT_OFFERED, find().notOffered(culprits.getFirst()));
        };
    }

    private Optional<ClusterGpuEvidence> traceOfGpus() {
        Set<GpuVendor> vendors = EnumSet.noneOf(GpuVendor.class);
        request.resources().forEach(asked -> GpuVendor.of(asked).ifPresent(vendors::add));
        return cluster.traceOfGpus(request.isGpu(), vendors);
    }

    /**
     * Returns the verdict if no node offers a GPU yet, but a node or a device plugin indicates that the cluster has
     * GPUs. The policy for clusters without GPUs does not apply to such a cluster.
     */
    private Verdict untilGpusCome(ClusterGpuEvidence trace) {
        ResourceName asked = request.resources().getFirst();
        return switch (policy.policy().whenNotOffered()) {
            case KEEP -> {
                verdicts.tell(
                        new DecisionCause.KeptForTrace(find().containers(asked), asked, trace, find().placedBy()));
                yield verdicts.allowed(Outcome.KEPT, Reason.KEPT_AS_WRITTEN, List.of());
            }
            case DENY -> verdicts.denied(Reason.NOT_OFFERED, find().notOffered(asked));
        };
    }

    private Verdict withoutGpuInCluster() {
        ResourceName asked = request.resources().getFirst();
        return switch (policy.policy().whenClusterHasNoGpu()) {
            case KEEP -> {
                verdicts.tell(new DecisionCause.KeptWithoutGpus(find().containers(asked), asked, find().placedBy()));
                yield verdicts.allowed(Outcome.KEPT, Reason.NO_GPU_IN_CLUSTER, List.of());
            }
            case DENY ->
                verdicts.denied(
                        Reason.NO_GPU_IN_CLUSTER, new DecisionCause.NoGpuInCluster(find().containers(asked), asked));
        };
    }
}
