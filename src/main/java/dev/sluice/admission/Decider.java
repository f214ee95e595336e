package dev.sluice.admission;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.ResourceName;
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

    /** The verdict on {@code pod} under the policy of its namespace. */
    public static Verdict decide(PodRequest pod, Policy policy, ClusterSnapshot cluster) {
        GpuAsk ask = ask(pod, policy);
        return ask.resources().isEmpty() ? new Verdict.NoGpu() : new Decider(ask, policy, cluster).verdict();
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
        return switch (policy.whenNotOffered()) {
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
        return switch (policy.whenClusterHasNoGpu()) {
            case KEEP -> {
                warnings.add(wording.keptWithoutGpu(asked));
                yield allowed(Verdict.Outcome.KEPT, Reason.NO_GPU_IN_CLUSTER, List.of());
            }
            case DENY -> new Verdict.Denied(Reason.NO_GPU_IN_CLUSTER, wording.deniedWithoutGpu(asked), warnings);
        };
    }

    /** Whatever is decided, missing limits are added; and no patch leaves that was not tried first. */
    private Verdict allowed(Verdict.Outcome outcome, Reason reason, List<Move> moves) {
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
