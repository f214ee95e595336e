package dev.sluice.admission;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.ResourceName;
import dev.sluice.injection.Injection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Decides what a pod is given: the first combination of its resources and their fallbacks that one node offers, or what
 * the policy says when there is none. The same pod, policy and snapshot always give the same verdict.
 */
public final class Decider {

    private static final String KEEP = "keep";

    private final GpuAsk ask;
    private final NamespacePolicy policy;
    private final ClusterSnapshot cluster;
    private final Chains chains;
    private final Wording wording;
    private final List<String> warnings = new ArrayList<>();

    private Decider(GpuAsk ask, NamespacePolicy policy, ClusterSnapshot cluster) {
        this.ask = ask;
        this.policy = policy;
        this.cluster = cluster;
        this.chains = chains(ask.pod(), policy.policy());
        this.wording = new Wording(ask, cluster);
    }

    /** The verdict on {@code pod} under the policy of its namespace. */
    public static Verdict decide(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster) {
        GpuAsk ask = ask(pod, policy.policy());
        Decider decider = new Decider(ask, policy, cluster);
        return ask.resources().isEmpty() ? decider.withoutAsk() : decider.verdict();
    }

    /** What counts as a GPU is the policy's to say, also where the pod has switched its own chains off. */
    static GpuAsk ask(PodRequest pod, Policy policy) {
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

    private Verdict verdict() {
        String mode = ask.pod().annotations().fallbackMode();
        if (mode != null && !mode.equals(KEEP)) {
            warnings.add(Wording.unknownMode(mode));
        }
        if (ask.resources().size() > Combinations.MOST) {
            // Work and words grow with their number; no pod that is meant to run asks for so many.
            warnings.add(wording.tooManyCombinations());
            return Verdict.Allowed.untouched(Reason.TOO_MANY_COMBINATIONS, warnings);
        }
        if (!ask.isLegal()) {
            return Verdict.Allowed.untouched(Reason.INVALID_QUANTITY, warnings);
        }
        if (cluster.offers(ask.need(name -> name), ask.pod().constraints())) {
            return allowed(Verdict.Outcome.UNCHANGED, Reason.OFFERED, List.of());
        }
        return clusterHasGpu() ? fallBack(Combinations.of(ask, chains, cluster)) : withoutGpu();
    }

    private boolean clusterHasGpu() {
        for (ResourceName device : cluster.devices()) {
            if (ask.isGpu().test(device)) {
                return true;
            }
        }
        return false;
    }

    private Verdict fallBack(Combinations combinations) {
        if (combinations.count() > Combinations.MOST) {
            warnings.add(wording.tooManyCombinations());
            return allowed(Verdict.Outcome.UNTOUCHED, Reason.TOO_MANY_COMBINATIONS, List.of());
        }
        Optional<Map<ResourceName, ResourceName>> offered =
                combinations.count() == 0 ? Optional.empty() : combinations.firstOffered();
        return offered.map(this::changed).orElseGet(() -> notOffered(combinations));
    }

    private Verdict changed(Map<ResourceName, ResourceName> given) {
        List<Move> moves = new ArrayList<>();
        for (ResourceName asked : ask.resources()) {
            ResourceName instead = given.getOrDefault(asked, asked);
            if (!instead.equals(asked)) {
                Move move = new Move(asked, instead);
                moves.add(move);
                warnings.add(wording.changed(move));
            }
        }
        return allowed(Verdict.Outcome.CHANGED, Reason.NOT_OFFERED, moves);
    }

    private Verdict notOffered(Combinations combinations) {
        List<ResourceName> hopeless = combinations.hopeless();
        // Where each alone has something, only not on one node, all of them are to blame.
        List<ResourceName> culprits = hopeless.isEmpty() ? ask.resources() : hopeless;
        return switch (policy.policy().whenNotOffered()) {
            case KEEP -> {
                culprits.forEach(asked -> warnings.add(wording.kept(asked, combinations)));
                yield allowed(Verdict.Outcome.KEPT, Reason.KEPT_AS_WRITTEN, List.of());
            }
            case DENY ->
                new Verdict.Denied(Reason.NOT_OFFERED, wording.denied(culprits.getFirst(), combinations), warnings);
        };
    }

    private Verdict withoutGpu() {
        ResourceName asked = ask.resources().getFirst();
        return switch (policy.policy().whenClusterHasNoGpu()) {
            case KEEP -> {
                warnings.add(wording.keptWithoutGpu(asked));
                yield allowed(Verdict.Outcome.KEPT, Reason.NO_GPU_IN_CLUSTER, List.of());
            }
            case DENY -> new Verdict.Denied(Reason.NO_GPU_IN_CLUSTER, wording.deniedWithoutGpu(asked), warnings);
        };
    }

    /** What the policy takes for no GPU may be one to the rules of injection. */
    private Verdict withoutAsk() {
        return switch (PodChange.attempt(ask, List.of(), policy)) {
            case PodChange.Attempt.Refused refused -> refused(refused, List.of());
            case PodChange.Attempt.Done done
            when done.change().injection() instanceof Injection.Given ->
                tried(done.change(), Verdict.Outcome.UNCHANGED, Reason.INJECTED, List.of());
            case PodChange.Attempt.Done _ -> new Verdict.NoGpu();
        };
    }

    /** Whatever is decided, missing limits are added; what cannot be judged gets nothing else. */
    private Verdict allowed(Verdict.Outcome outcome, Reason reason, List<Move> moves) {
        ask.withoutLimit().forEach(asked -> warnings.add(wording.limitAdded(asked)));
        NamespacePolicy injecting = outcome == Verdict.Outcome.UNTOUCHED ? NamespacePolicy.of(policy.policy()) : policy;
        return switch (PodChange.attempt(ask, moves, injecting)) {
            case PodChange.Attempt.Refused refused -> refused(refused, moves);
            case PodChange.Attempt.Done done -> tried(done.change(), outcome, reason, moves);
        };
    }

    private Verdict refused(PodChange.Attempt.Refused refused, List<Move> moves) {
        return new Verdict.Denied(
                Reason.INJECTION_REFUSED, new InjectionWording(moves).denied(refused.refusal()), warnings);
    }

    /** No patch leaves that was not tried first. */
    private Verdict tried(PodChange change, Verdict.Outcome outcome, Reason reason, List<Move> moves) {
        List<PatchOperation> patch = change.patch();
        if (patch.isEmpty()) {
            return new Verdict.Allowed(outcome, reason, moves, warnings, patch);
        }
        return PatchedPod.problem(ask.pod(), patch)
                .<Verdict>map(problem ->
                        Verdict.Allowed.untouched(Reason.PATCH_NOT_LEGAL, List.of(Wording.notLegal(problem))))
                .orElseGet(() -> new Verdict.Allowed(outcome, reason, moves, warnings, patch));
    }
}
