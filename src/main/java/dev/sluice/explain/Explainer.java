package dev.sluice.explain;

import dev.sluice.decide.Combinations;
import dev.sluice.decide.Decider;
import dev.sluice.decide.FreeCapacity;
import dev.sluice.decide.Reason;
import dev.sluice.decide.TotalDemand;
import dev.sluice.decide.Verdict;
import dev.sluice.explain.Explanation.AskedResource;
import dev.sluice.explain.Explanation.Candidate;
import dev.sluice.explain.Explanation.Fate;
import dev.sluice.injection.Injection;
import dev.sluice.injection.rule.InjectionRules;
import dev.sluice.injection.rule.NotInjected;
import dev.sluice.policy.FallbackChains;
import dev.sluice.policy.NamespacePolicy;
import dev.sluice.policy.Policy;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.request.ContainerRequest;
import dev.sluice.request.GpuRequest;
import dev.sluice.request.Move;
import dev.sluice.request.PodRequest;
import dev.sluice.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Takes the decision once more, by the same parts, and writes down what they say. It decides nothing itself: the
 * verdict is the {@link Decider}'s, what is offered is what {@link Combinations} found, and nodes are asked by the same
 * questions.
 */
final class Explainer {

    private final NamespacePolicy policy;
    private final GpuRequest ask;
    private final FallbackChains chains;
    private final Verdict verdict;
    private final Combinations combinations;
    private final TotalDemand needs;
    private final FreeCapacity room;
    private final NodeAnswers nodes;

    Explainer(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster, Occupancy occupancy) {
        this.policy = policy;
        this.ask = GpuRequest.of(pod, policy.policy());
        this.chains = Decider.chains(pod, policy.policy());
        this.verdict = Decider.decide(pod, policy, cluster, occupancy).verdict();
        this.combinations = new Combinations(ask, chains, cluster);
        this.needs = new TotalDemand(ask, policy);
        this.room = occupancy;
        this.nodes = new NodeAnswers(pod, mode(), cluster, occupancy);
    }

    Explanation explanation() {
        return new Explanation(
                verdict, mode(), ask.resources().stream().map(this::question).toList(), inVain(), notInjected());
    }

    private Policy.Mode mode() {
        return policy.policy().mode();
    }

    private Optional<NotInjected> notInjected() {
        if (!(verdict.injection() instanceof Injection.NothingInjected) || verdict instanceof Verdict.Denied) {
            return Optional.empty();
        }
        InjectionRules rules = policy.injector().rules();
        String type = ask.pod().annotations().gpuType();
        if (type == null) {
            boolean worthSaying = !rules.isEmpty() && !(verdict instanceof Verdict.NoGpu);
            return worthSaying ? Optional.of(new NotInjected.NoType()) : Optional.empty();
        }
        return Optional.of(isUntouched() ? new NotInjected.LeftAsWritten() : rules.whyNot(policy.namespace(), type));
    }

    private boolean isUntouched() {
        return verdict instanceof Verdict.Allowed allowed && allowed.outcome() == Verdict.Outcome.UNTOUCHED;
    }

    private List<Map<ResourceName, ResourceName>> inVain() {
        List<Map<ResourceName, ResourceName>> tried = new ArrayList<>();
        boolean searched =
                ask.resources().size() > 1 && isJudged() && combinations.count() > 0 && !combinations.areTooMany();
        if (searched) {
            var _ = combinations.first(combination -> {
                boolean good = isGood(combination);
                if (!good) {
                    tried.add(Map.copyOf(combination));
                }
                return good;
            });
        }
        return tried;
    }

    /** With which the search ended, be it because injection refused the pod with it. */
    private Map<ResourceName, ResourceName> lastTried() {
        return combinations.first(this::isGood).orElse(Map.of());
    }

    private boolean isGood(Map<ResourceName, ResourceName> combination) {
        return switch (mode()) {
            case ALLOCATABLE -> combinations.isOffered(combination);
            case AVAILABILITY -> hasRoom(moves(combination));
        };
    }

    private List<Move> moves(Map<ResourceName, ResourceName> given) {
        return ask.resources().stream()
                .filter(asked -> !given.getOrDefault(asked, asked).equals(asked))
                .map(asked -> new Move(asked, given.getOrDefault(asked, asked)))
                .toList();
    }

    /** Where injection refuses, the search has ended, too. */
    private boolean hasRoom(List<Move> moves) {
        return switch (needs.after(moves)) {
            case TotalDemand.DemandResult.Demanded known ->
                room.isFree(known.need(), ask.pod().constraints());
            case TotalDemand.DemandResult.DemandRefused _ -> true;
        };
    }

    /** The pod is admitted, and waits for what it is given. */
    private boolean waits() {
        return mode() == Policy.Mode.AVAILABILITY
                && verdict instanceof Verdict.Allowed allowed
                && allowed.outcome() != Verdict.Outcome.UNTOUCHED
                && !hasRoom(allowed.moves());
    }

    private AskedResource question(ResourceName asked) {
        List<String> containers =
                ask.containersAsking(asked).stream().map(ContainerRequest::name).toList();
        return new AskedResource(asked, containers, isJudged() ? candidates(asked) : List.of());
    }

    /** False where no node was looked at. */
    private boolean isJudged() {
        Reason reason = switch (verdict) {
            case Verdict.Allowed allowed -> allowed.reason();
            case Verdict.Denied denied -> denied.reason();
            case Verdict.NoGpu _ -> Reason.OFFERED;
        };
        return ask.isLegal() && reason != Reason.CANNOT_BE_EVALUATED;
    }

    private List<Candidate> candidates(ResourceName asked) {
        List<ResourceName> all =
                Stream.concat(Stream.of(asked), chains.after(asked).stream()).toList();
        int chosen = chosen(asked).map(all::indexOf).orElse(all.size());
        boolean waits = waits();
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            ResourceName given = all.get(i);
            NodeAnswers.WantedResource wanted =
                    new NodeAnswers.WantedResource(given, ask.needOf(asked), whole(asked, given, ask.needOf(asked)));
            Fate fate = i == chosen
                    ? (waits ? Fate.AWAITED : Fate.CHOSEN)
                    : i > chosen && !waits ? Fate.NOT_NEEDED : otherFate(asked, wanted);
            candidates.add(new Candidate(given, wanted.need(), fate, nodes.to(wanted)));
        }
        return candidates;
    }

    /** What the pod ends up with for {@code asked}, unless it is left as written for want of anything better. */
    private Optional<ResourceName> chosen(ResourceName asked) {
        return verdict instanceof Verdict.Allowed allowed
                        && (allowed.outcome() == Verdict.Outcome.UNCHANGED
                                || allowed.outcome() == Verdict.Outcome.CHANGED)
                ? Optional.of(allowed.moves().stream()
                        .filter(move -> move.asked().equals(asked))
                        .map(Move::given)
                        .findFirst()
                        .orElse(asked))
                : Optional.empty();
    }

    private Fate otherFate(ResourceName asked, NodeAnswers.WantedResource wanted) {
        boolean offered = combinations.choicesFor(asked).contains(wanted.given());
        if (!offered) {
            return Fate.NOT_OFFERED;
        }
        if (verdict.injection() instanceof Injection.Refused(Injection.Refusal refusal)
                && refusal.resources().contains(wanted.given())
                && lastTried().getOrDefault(asked, asked).equals(wanted.given())) {
            return Fate.REFUSED;
        }
        if (isUntouched()) {
            return Fate.NOT_TRIED;
        }
        Fate others = verdict.injection() instanceof Injection.Refused ? Fate.NOT_TRIED : Fate.NOT_TOGETHER;
        return switch (mode()) {
            case ALLOCATABLE -> others;
            case AVAILABILITY -> room.isFree(wanted.whole(), ask.pod().constraints()) ? others : Fate.EXHAUSTED;
        };
    }

    /** With this in place of what is asked, and everything else as it is written. */
    private Amounts whole(ResourceName asked, ResourceName given, long need) {
        List<Move> moves = given.equals(asked) ? List.of() : List.of(new Move(asked, given));
        return ask.resources().size() == 1 && needs.after(moves) instanceof TotalDemand.DemandResult.Demanded known
                ? known.need()
                : ask.rest().plus(Amounts.of(given, need));
    }
}
