package dev.sluice.admission;

import dev.sluice.admission.Explanation.Answer;
import dev.sluice.admission.Explanation.Candidate;
import dev.sluice.admission.Explanation.Fate;
import dev.sluice.admission.Explanation.Nodes;
import dev.sluice.admission.Explanation.Question;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeRefusal;
import dev.sluice.cluster.ResourceName;
import dev.sluice.injection.Injection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
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

    private record Key(Answer answer, long allocatable) {}

    private final NamespacePolicy policy;
    private final GpuAsk ask;
    private final ClusterSnapshot cluster;
    private final Chains chains;
    private final Verdict verdict;
    private final Combinations combinations;

    Explainer(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster) {
        this.policy = policy;
        this.ask = Decider.asked(pod, policy.policy());
        this.cluster = cluster;
        this.chains = Decider.chains(pod, policy.policy());
        this.verdict = Decider.decide(pod, policy, cluster);
        this.combinations = Combinations.of(ask, chains, cluster);
    }

    Explanation explanation() {
        return new Explanation(
                verdict, ask.resources().stream().map(this::question).toList(), inVain(), injection());
    }

    private Injection injection() {
        return verdict instanceof Verdict.Allowed allowed
                        && allowed.outcome() != Verdict.Outcome.UNTOUCHED
                        && PodChange.attempt(ask, allowed.moves(), policy) instanceof PodChange.Attempt.Done done
                ? done.change().injection()
                : new Injection.None();
    }

    private List<Map<ResourceName, ResourceName>> inVain() {
        List<Map<ResourceName, ResourceName>> tried = new ArrayList<>();
        boolean searched =
                ask.resources().size() > 1 && ask.isLegal() && combinations.count() > 0 && !combinations.areTooMany();
        if (searched) {
            var _ = combinations.first(combination -> {
                boolean offered = combinations.isOffered(combination);
                if (!offered) {
                    tried.add(Map.copyOf(combination));
                }
                return offered;
            });
        }
        return tried;
    }

    private Question question(ResourceName asked) {
        List<String> containers =
                ask.containersAsking(asked).stream().map(ContainerRequest::name).toList();
        return new Question(asked, containers, ask.isLegal() ? candidates(asked) : List.of());
    }

    private List<Candidate> candidates(ResourceName asked) {
        List<ResourceName> all =
                Stream.concat(Stream.of(asked), chains.after(asked).stream()).toList();
        int chosen = chosen(asked).map(all::indexOf).orElse(all.size());
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            ResourceName given = all.get(i);
            long need = ask.needOf(asked);
            Fate fate = i == chosen ? Fate.CHOSEN : i > chosen ? Fate.NOT_NEEDED : fateBefore(asked, given);
            candidates.add(new Candidate(given, need, fate, nodes(given, need)));
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

    private Fate fateBefore(ResourceName asked, ResourceName given) {
        boolean offered =
                combinations.candidates().getOrDefault(asked, List.of()).contains(given);
        if (!offered) {
            return Fate.NOT_OFFERED;
        }
        boolean untouched =
                verdict instanceof Verdict.Allowed allowed && allowed.outcome() == Verdict.Outcome.UNTOUCHED;
        return untouched ? Fate.NOT_TRIED : Fate.NOT_TOGETHER;
    }

    private List<Nodes> nodes(ResourceName given, long need) {
        Map<Key, List<String>> alike = new LinkedHashMap<>();
        for (Node node : cluster.nodesByName()) {
            Key key = new Key(answer(node, given, need), node.allocatable().get(given));
            alike.computeIfAbsent(key, _ -> new ArrayList<>()).add(node.name());
        }
        return alike.entrySet().stream()
                .map(entry -> new Nodes(entry.getKey().answer(), entry.getKey().allocatable(), entry.getValue()))
                .sorted(Comparator.comparingInt((Nodes nodes) -> rank(nodes.answer()))
                        .thenComparing(
                                Comparator.comparingLong(Nodes::allocatable).reversed()))
                .toList();
    }

    private Answer answer(Node node, ResourceName given, long need) {
        long allocatable = node.allocatable().get(given);
        if (allocatable <= 0) {
            return new Answer.None();
        }
        Optional<NodeRefusal> refusal = ask.pod().constraints().lastingRefusal(node);
        if (refusal.isPresent()) {
            return new Answer.Refused(refusal.get());
        }
        return allocatable < need ? new Answer.TooFew() : new Answer.Fits();
    }

    private static int rank(Answer answer) {
        return switch (answer) {
            case Answer.Fits _ -> 0;
            case Answer.TooFew _ -> 1;
            case Answer.Refused _ -> 2;
            case Answer.None _ -> 3;
        };
    }
}
