package dev.sluice.admission;

import dev.sluice.cluster.Amounts;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.ResourceName;
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

    private final GpuAsk ask;
    private final Policy policy;
    private final ClusterSnapshot cluster;
    private final Chains chains;
    private final Wording wording;
    private final List<String> warnings = new ArrayList<>();

    private Decider(GpuAsk ask, Policy policy, ClusterSnapshot cluster) {
        this.ask = ask;
        this.policy = policy;
        this.cluster = cluster;
        this.chains = chains(ask.pod(), policy);
        this.wording = new Wording(ask, cluster);
    }

    GpuAsk ask() {
        return ask;
    }

    Policy policy() {
        return policy;
    }

    ClusterSnapshot cluster() {
        return cluster;
    }

    Wording wording() {
        return wording;
    }

    /** The verdict on {@code pod} under the policy of its namespace, by what nodes offer. */
    public static Verdict decide(PodRequest pod, Policy policy, ClusterSnapshot cluster) {
        GpuAsk ask = asked(pod, policy);
        if (ask.resources().isEmpty()) {
            return new Verdict.NoGpu();
        }
        Decider decider = new Decider(ask, policy, cluster);
        return decider.unjudged().orElseGet(decider::byOffer);
    }

    /** As {@link #decide(PodRequest, Policy, ClusterSnapshot)}, in the policy's mode, and what is to be reserved. */
    public static Decision decide(PodRequest pod, Policy policy, ClusterSnapshot cluster, Room room) {
        GpuAsk ask = asked(pod, policy);
        if (ask.resources().isEmpty()) {
            return Decision.without(new Verdict.NoGpu());
        }
        Decider decider = new Decider(ask, policy, cluster);
        Verdict verdict = decider.unjudged().orElseGet(() -> switch (policy.mode()) {
            case ALLOCATABLE -> decider.byOffer();
            case AVAILABILITY -> new Availability(decider, room).verdict();
        });
        return switch (verdict) {
            case Verdict.Allowed allowed
            when allowed.reason() != Reason.INVALID_QUANTITY && !pod.gated() ->
                new Decision(verdict, Optional.of(claim(ask, allowed.moves(), room)));
            case Verdict.Allowed _, Verdict.Denied _, Verdict.NoGpu _ -> Decision.without(verdict);
        };
    }

    private static Decision.Claim claim(GpuAsk ask, List<Move> moves, Room room) {
        Amounts need = ask.rest().plus(ask.need(Move.given(moves)));
        NodeConstraints constraints = ask.pod().constraints();
        return new Decision.Claim(need, constraints, room.isFree(need, constraints));
    }

    /** What counts as a GPU is the policy's to say, also where the pod has switched its own chains off. */
    static GpuAsk asked(PodRequest pod, Policy policy) {
        return GpuAsk.of(pod, policy.chains()::isGpu);
    }

    /** What may be given to this pod instead of what it asks. */
    static Chains chains(PodRequest pod, Policy policy) {
        return Objects.equals(pod.annotations().fallbackMode(), KEEP) ? Chains.NONE : policy.chains();
    }

    /** The pod could not be read, which is no reason to stop it. */
    public static Verdict malformed(String problem) {
        return Verdict.Allowed.untouched(Reason.MALFORMED_POD, List.of(Wording.malformed(problem)));
    }

    /** There is no pod in the review, which is for the API server to refuse. */
    public static Verdict absent() {
        return Verdict.Allowed.untouched(Reason.MALFORMED_POD, List.of(Wording.noPod()));
    }

    /** What ends the matter before the cluster is looked at. */
    private Optional<Verdict> unjudged() {
        String mode = ask.pod().annotations().fallbackMode();
        if (mode != null && !mode.equals(KEEP)) {
            warnings.add(Wording.unknownMode(mode));
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

    /** Allocatable mode. */
    private Verdict byOffer() {
        if (cluster.offers(ask.need(name -> name), ask.pod().constraints())) {
            return allowed(Verdict.Outcome.UNCHANGED, Reason.OFFERED, List.of());
        }
        return clusterHasGpu() ? fallBack(combinations()) : withoutGpu();
    }

    /** What may be given instead, in its order. */
    Combinations combinations() {
        return Combinations.of(ask, chains, cluster);
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
        return switch (policy.whenNotOffered()) {
            case KEEP -> {
                culprits.forEach(asked -> warnings.add(wording.kept(asked, combinations)));
                yield allowed(Verdict.Outcome.KEPT, Reason.KEPT_AS_WRITTEN, List.of());
            }
            case DENY -> denied(Reason.NOT_OFFERED, wording.denied(culprits.getFirst(), combinations));
        };
    }

    Verdict denied(Reason reason, String message) {
        return new Verdict.Denied(reason, message, warnings);
    }

    Verdict withoutGpu() {
        ResourceName asked = ask.resources().getFirst();
        return switch (policy.whenClusterHasNoGpu()) {
            case KEEP -> {
                warnings.add(wording.keptWithoutGpu(asked));
                yield allowed(Verdict.Outcome.KEPT, Reason.NO_GPU_IN_CLUSTER, List.of());
            }
            case DENY -> denied(Reason.NO_GPU_IN_CLUSTER, wording.deniedWithoutGpu(asked));
        };
    }

    /** Whatever is decided, missing limits are added; and no patch leaves that was not tried first. */
    Verdict allowed(Verdict.Outcome outcome, Reason reason, List<Move> moves) {
        List<ResourceName> withoutLimit = ask.withoutLimit();
        withoutLimit.forEach(asked -> warnings.add(wording.limitAdded(asked)));
        if (moves.isEmpty() && withoutLimit.isEmpty()) {
            return new Verdict.Allowed(outcome, reason, moves, warnings, List.of());
        }
        List<PatchOperation> patch = PodPatch.of(ask, moves);
        return PatchedPod.problem(ask.pod(), patch)
                .<Verdict>map(problem ->
                        Verdict.Allowed.untouched(Reason.PATCH_NOT_LEGAL, List.of(Wording.notLegal(problem))))
                .orElseGet(() -> new Verdict.Allowed(outcome, reason, moves, warnings, patch));
    }
}
