package dev.sluice.decide;

import dev.sluice.injection.Injection;
import dev.sluice.patch.PatchOperation;
import dev.sluice.patch.PatchedPod;
import dev.sluice.patch.PodChange;
import dev.sluice.policy.FallbackChains;
import dev.sluice.policy.NamespacePolicy;
import dev.sluice.policy.Policy;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.request.GpuRequest;
import dev.sluice.request.Move;
import dev.sluice.request.PodRequest;
import dev.sluice.snapshot.ClusterSnapshot;
import dev.sluice.wording.InjectionWording;
import dev.sluice.wording.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides what a pod is given: the first combination of its resources and their fallbacks that one node offers, or what
 * the policy says when there is none. The same pod, policy and snapshot always give the same verdict.
 */
public final class Decider {

    private static final String KEEP = "keep";

    private final GpuRequest ask;
    private final NamespacePolicy policy;
    private final ClusterSnapshot cluster;
    private final FallbackChains chains;
    private final Wording wording;
    private final List<String> warnings = new ArrayList<>();

    private Decider(GpuRequest ask, NamespacePolicy policy, ClusterSnapshot cluster) {
        this.ask = ask;
        this.policy = policy;
        this.cluster = cluster.forOnePod(ask.pod().constraints());
        this.chains = chains(ask.pod(), policy.policy());
        this.wording = new Wording(ask, this.cluster);
    }

    /** The verdict on {@code pod} under the policy of its namespace, by what nodes offer. */
    public static Verdict decide(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster) {
        Decider decider = new Decider(GpuRequest.of(pod, policy.policy()), policy, cluster);
        return decider.early().orElseGet(decider::byOffer);
    }

    /** The verdict by what the policy's mode looks at, and what is to be reserved for the pod. */
    public static Decision decide(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster, FreeCapacity now) {
        FreeCapacity room = new CachedFreeCapacity(now);
        boolean byRoom = policy.policy().mode() == Policy.Mode.AVAILABILITY;
        PodRequest judged = byRoom ? pod.heldAgainstItsNode() : pod;
        Decider decider = new Decider(GpuRequest.of(judged, policy.policy()), policy, cluster);
        TotalDemand needs = new TotalDemand(decider.ask, policy);
        Verdict verdict = decider.early().or(decider::negative).orElseGet(() -> switch (policy.policy()
                .mode()) {
            case ALLOCATABLE -> decider.byOffer();
            case AVAILABILITY -> new Availability(decider, needs, room).verdict();
        });
        return switch (verdict) {
            case Verdict.Allowed allowed
            when decider.reserves(allowed) ->
                new Decision(verdict, Optional.of(Decision.Claim.of(needs.afterwards(allowed), judged, room)));
            case Verdict.Allowed _, Verdict.Denied _, Verdict.NoGpu _ -> Decision.without(verdict);
        };
    }

    /** By what the policy calls a GPU. */
    public static boolean asksForGpu(PodRequest pod, NamespacePolicy policy) {
        return !GpuRequest.of(pod, policy.policy()).resources().isEmpty();
    }

    /** What a pod takes of its node as it is, nothing while it is gated; empty where it asks for no GPU. */
    public static Optional<Amounts> need(PodRequest pod, NamespacePolicy policy) {
        GpuRequest ask = GpuRequest.of(pod, policy.policy());
        return ask.resources().isEmpty()
                ? Optional.empty()
                : Optional.of(pod.gated() ? Amounts.NONE : TotalDemand.asItIs(ask));
    }

    /** What the API server will refuse, or nobody schedules yet, takes nothing. */
    private boolean reserves(Verdict.Allowed allowed) {
        return !ask.resources().isEmpty()
                && allowed.reason() != Reason.INVALID_QUANTITY
                && allowed.reason() != Reason.CANNOT_BE_EVALUATED
                && !ask.pod().gated();
    }

    GpuRequest ask() {
        return ask;
    }

    Policy policy() {
        return policy.policy();
    }

    Wording wording() {
        return wording;
    }

    /** What may be given to this pod instead of what it asks. */
    public static FallbackChains chains(PodRequest pod, Policy policy) {
        return Objects.equals(pod.annotations().fallbackMode(), KEEP) ? FallbackChains.NONE : policy.chains();
    }

    /** What ends the matter before the cluster is looked at. */
    private Optional<Verdict> early() {
        if (ask.resources().isEmpty()) {
            return Optional.of(withoutAsk());
        }
        warnings.addAll(aboutItsMode());
        Optional<String> notEvaluated = ask.pod().constraints().whyNotEvaluated();
        if (notEvaluated.isPresent()) {
            return Optional.of(UnreadablePod.notEvaluated(notEvaluated.get(), warnings, policy.policy()));
        }
        if (ask.resources().size() > Combinations.MOST) {
            // Work and words grow with their number; no pod that is meant to run asks for so many.
            warnings.add(wording.tooManyCombinations());
            return Optional.of(Verdict.Allowed.untouched(Reason.TOO_MANY_COMBINATIONS, warnings));
        }
        return ask.isLegal()
                ? Optional.empty()
                : Optional.of(Verdict.Allowed.untouched(Reason.INVALID_QUANTITY, warnings));
    }

    /** Less than nothing must not make room for others; the API server will refuse it, whatever resource it is of. */
    private Optional<Verdict> negative() {
        return ask.pod().hasNegative()
                ? Optional.of(Verdict.Allowed.untouched(Reason.INVALID_QUANTITY, warnings))
                : Optional.empty();
    }

    /** What holds whatever is decided. */
    private List<String> aboutItsMode() {
        String mode = ask.pod().annotations().fallbackMode();
        return mode == null || mode.equals(KEEP) || ask.resources().isEmpty()
                ? List.of()
                : List.of(Wording.unknownMode(mode));
    }

    /** Allocatable mode. */
    private Verdict byOffer() {
        if (isOffered()) {
            return allowed(Verdict.Outcome.UNCHANGED, Reason.OFFERED, List.of());
        }
        return clusterHasGpu() ? fallBack(combinations()) : withoutGpu();
    }

    /** As the pod is written. */
    boolean isOffered() {
        return cluster.offers(ask.need(name -> name), ask.pod().constraints());
    }

    /** What may be given instead, in its order. */
    Combinations combinations() {
        return new Combinations(ask, chains, cluster);
    }

    boolean clusterHasGpu() {
        for (ResourceName device : cluster.devices()) {
            if (ask.isGpu().test(device)) {
                return true;
            }
        }
        return false;
    }

    private Verdict fallBack(Combinations combinations) {
        if (combinations.areTooMany()) {
            return tooMany();
        }
        return combinations
                .firstOffered()
                .map(given -> changed(moves(given), Reason.NOT_OFFERED, wording::changed))
                .orElseGet(() -> notOffered(combinations));
    }

    Verdict tooMany() {
        warnings.add(wording.tooManyCombinations());
        return allowed(Verdict.Outcome.UNTOUCHED, Reason.TOO_MANY_COMBINATIONS, List.of());
    }

    /** In the order of the pod. */
    List<Move> moves(Map<ResourceName, ResourceName> given) {
        List<Move> moves = new ArrayList<>();
        for (ResourceName asked : ask.resources()) {
            ResourceName instead = given.getOrDefault(asked, asked);
            if (!instead.equals(asked)) {
                moves.add(new Move(asked, instead));
            }
        }
        return moves;
    }

    Verdict changed(List<Move> moves, Reason reason, Function<Move, String> words) {
        moves.forEach(move -> warnings.add(words.apply(move)));
        return allowed(Verdict.Outcome.CHANGED, reason, moves);
    }

    void warn(String sentence) {
        warnings.add(sentence);
    }

    Verdict notOffered(Combinations combinations) {
        List<ResourceName> hopeless = combinations.hopeless();
        // Where each alone has something, only not on one node, all of them are to blame.
        List<ResourceName> culprits = hopeless.isEmpty() ? ask.resources() : hopeless;
        return switch (policy.policy().whenNotOffered()) {
            case KEEP -> {
                culprits.forEach(asked -> warnings.add(wording.kept(asked, combinations)));
                yield allowed(Verdict.Outcome.KEPT, Reason.KEPT_AS_WRITTEN, List.of());
            }
            case DENY -> denied(Reason.NOT_OFFERED, wording.denied(culprits.getFirst(), combinations));
        };
    }

    Verdict denied(Reason reason, String message) {
        return new Verdict.Denied(reason, message, warnings, Injection.NOTHING);
    }

    Verdict withoutGpu() {
        ResourceName asked = ask.resources().getFirst();
        return switch (policy.policy().whenClusterHasNoGpu()) {
            case KEEP -> {
                warnings.add(wording.keptWithoutGpu(asked));
                yield allowed(Verdict.Outcome.KEPT, Reason.NO_GPU_IN_CLUSTER, List.of());
            }
            case DENY -> denied(Reason.NO_GPU_IN_CLUSTER, wording.deniedWithoutGpu(asked));
        };
    }

    /** What the policy takes for no GPU may be one to the rules of injection. */
    private Verdict withoutAsk() {
        if (!injects()) {
            return new Verdict.NoGpu();
        }
        return switch (PodChange.attempt(ask, List.of(), policy)) {
            case PodChange.Attempt.ChangeRefused refused -> refused(refused, List.of());
            case PodChange.Attempt.PodChanged done
            when done.change().injection() instanceof Injection.Injected ->
                tried(done.change(), Verdict.Outcome.UNCHANGED, Reason.INJECTED, List.of());
            case PodChange.Attempt.PodChanged _ -> new Verdict.NoGpu();
        };
    }

    /** False where no rule of injection can hold, so that nothing need be tried. */
    private boolean injects() {
        return ask.pod().annotations().gpuType() != null
                && !policy.injector().rules().isEmpty();
    }

    /** Whatever is decided, missing limits are added; what cannot be judged gets nothing else. */
    Verdict allowed(Verdict.Outcome outcome, Reason reason, List<Move> moves) {
        List<ResourceName> withoutLimit = ask.withoutLimit();
        withoutLimit.forEach(asked -> warnings.add(wording.limitAdded(asked)));
        if (moves.isEmpty() && withoutLimit.isEmpty() && !injects()) {
            return Verdict.Allowed.unpatched(outcome, reason, warnings);
        }
        NamespacePolicy injecting = outcome == Verdict.Outcome.UNTOUCHED ? NamespacePolicy.of(policy.policy()) : policy;
        return switch (PodChange.attempt(ask, moves, injecting)) {
            case PodChange.Attempt.ChangeRefused refused -> refused(refused, moves);
            case PodChange.Attempt.PodChanged done -> tried(done.change(), outcome, reason, moves);
        };
    }

    /** Nothing is done to the pod, so that what was about to be done is not said. */
    Verdict refused(PodChange.Attempt.ChangeRefused refused, List<Move> moves) {
        return new Verdict.Denied(
                Reason.INJECTION_REFUSED,
                new InjectionWording(moves).denied(refused.refusal()),
                aboutItsMode(),
                new Injection.Refused(refused.refusal()));
    }

    /** No patch leaves that was not tried first. */
    private Verdict tried(PodChange change, Verdict.Outcome outcome, Reason reason, List<Move> moves) {
        List<PatchOperation> patch = change.patch();
        if (patch.isEmpty()) {
            return new Verdict.Allowed(outcome, reason, moves, warnings, patch, change.injection());
        }
        return PatchedPod.problem(ask.pod(), patch)
                .<Verdict>map(problem -> Verdict.Allowed.untouched(Reason.PATCH_NOT_LEGAL, List.of(notLegal(problem))))
                .orElseGet(() -> new Verdict.Allowed(outcome, reason, moves, warnings, patch, change.injection()));
    }

    private String notLegal(String problem) {
        return PatchedPod.problem(ask.pod(), List.of())
                .map(Wording::notLegalAsWritten)
                .orElseGet(() -> Wording.notLegal(problem));
    }
}
