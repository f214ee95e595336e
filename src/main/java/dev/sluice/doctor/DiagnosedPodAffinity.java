package dev.sluice.doctor;

import dev.sluice.cluster.PodNodeMismatch;
import dev.sluice.cluster.Taint;
import dev.sluice.doctor.facts.PodAffinityFacts;
import dev.sluice.doctor.facts.PodAffinityFacts.PeerTerm;
import dev.sluice.doctor.facts.PodAffinityFacts.Spread;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Evaluates inter-pod affinity, anti-affinity and topology spread by the rules of kube-scheduler's plugins
 * InterPodAffinity and PodTopologySpread. The anti-affinity of bound pods counts, too.
 */
final class DiagnosedPodAffinity {

    private record Domain(String key, String value) implements Comparable<Domain> {

        private static final Comparator<Domain> ORDER =
                Comparator.comparing(Domain::value).thenComparing(Domain::key);

        /**
         * Orders the domains, so that a hash table can find one of many domains with equal hashes without comparing all
         * of them.
         */
        @Override
        public int compareTo(Domain other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * Holds the anti-affinity terms of bound pods. Such a term excludes other pods from the topology domain of the
     * bound pod. All diagnosed pods share one instance.
     */
    static final class Repulsion {

        /**
         * Limits the number of different anti-affinity terms of the pods of one namespace. Each diagnosed pod is
         * compared with all terms that can concern it. Terms above the limit are not evaluated; the scheduler's message
         * is used instead.
         */
        private static final int MOST_TERMS = 1_000;

        private final Map<PeerTerm, Set<Domain>> domains = new HashMap<>();
        private final Map<String, Integer> termsOf = new HashMap<>();
        /**
         * Maps a namespace to the terms that apply to pods in it. Terms that apply to all namespaces have the empty
         * name as their key.
         */
        private final Map<String, List<PeerTerm>> concerning = new HashMap<>();

        private boolean exact = true;

        Repulsion(List<DiagnosedNode> nodes) {
            for (DiagnosedNode node : nodes) {
                for (PodFacts pod : node.use().bound()) {
                    PodAffinityFacts peers = pod.ask().peers();
                    peers.apart().forEach(term -> add(pod.namespace(), node, term));
                    exact &= peers.exact();
                }
            }
        }

        /** Returns false if a bound pod has anti-affinity terms that cannot be evaluated. */
        boolean isExact() {
            return exact;
        }

        private void add(String namespace, DiagnosedNode node, PeerTerm term) {
            Optional<Domain> domain = domain(node, term.topologyKey());
            Set<Domain> known = domains.get(term);
            if (domain.isEmpty()) {
                return;
            }
            if (known == null && termsOf.merge(namespace, 1, Integer::sum) > MOST_TERMS) {
                exact = false;
                return;
            }
            if (known == null) {
                known = new HashSet<>();
                domains.put(term, known);
                for (String concerned : term.namespaces().isEmpty() ? Set.of("") : term.namespaces()) {
                    concerning
                            .computeIfAbsent(concerned, _ -> new ArrayList<>())
                            .add(term);
                }
            }
            known.add(domain.get());
        }

        private Set<PeerTerm> against(PodDemandFacts ask) {
            Set<PeerTerm> terms = new HashSet<>();
            for (String namespace : List.of("", ask.namespace())) {
                for (PeerTerm term : concerning.getOrDefault(namespace, List.of())) {
                    RuleTime.check();
                    if (term.matches(ask.namespace(), ask.labels())) {
                        terms.add(term);
                    }
                }
            }
            return terms;
        }
    }

    /**
     * Holds a topology spread constraint with the number of matching pods in each domain.
     *
     * @param counts the number of matching pods by domain; 0 for a domain without any
     * @param least the smallest number of matching pods in any domain
     */
    private record SpreadCounts(Spread spread, Map<String, Long> counts, long least) {}

    private final PodDemandFacts ask;
    private final PodAffinityFacts peers;

    private final List<DiagnosedNode> nodes;
    private final Set<Domain> near = new HashSet<>();
    private final Set<String> nearOn = new HashSet<>();
    private final Set<Domain> forbidden = new HashSet<>();
    private final List<SpreadCounts> spreads = new ArrayList<>();
    private final boolean anyNear;
    private final Set<String> forbiddenKeys;

    DiagnosedPodAffinity(PodDemandFacts ask, List<DiagnosedNode> nodes, Repulsion repulsion) {
        this.ask = ask;
        this.peers = ask.peers();
        this.nodes = nodes;
        repulsion.against(ask).forEach(term -> forbidden.addAll(repulsion.domains.get(term)));
        boolean asks = !peers.near().isEmpty() || !peers.apart().isEmpty();
        if (asks) {
            nodes.forEach(this::attracted);
        }
        anyNear = !near.isEmpty();
        forbiddenKeys = forbidden.stream().map(Domain::key).collect(Collectors.toSet());
        peers.spread().stream().distinct().forEach(spread -> spreads.add(counts(spread)));
    }

    static DiagnosedRepairSearch.PeerIdentity identity(PodDemandFacts ask, Repulsion repulsion) {
        PodAffinityFacts peers = ask.peers();
        List<Boolean> own = new ArrayList<>();
        peers.near().forEach(term -> own.add(term.matches(ask.namespace(), ask.labels())));
        peers.spread().forEach(spread -> own.add(spread.query().matches(ask.labels())));
        return new DiagnosedRepairSearch.PeerIdentity(
                peers.isEmpty() ? "" : ask.namespace(), own, repulsion.against(ask));
    }

    private void attracted(DiagnosedNode node) {
        List<PeerTerm> wanted = peers.near();
        for (PodFacts pod : node.use().bound()) {
            if (!wanted.isEmpty() && wanted.stream().allMatch(term -> matches(term, pod))) {
                wanted.forEach(term -> domain(node, term.topologyKey()).ifPresent(near::add));
                nearOn.add(node.name());
            }
            for (PeerTerm term : peers.apart()) {
                if (matches(term, pod)) {
                    domain(node, term.topologyKey()).ifPresent(forbidden::add);
                }
            }
        }
    }

    private static boolean matches(PeerTerm term, PodFacts pod) {
        RuleTime.check();
        return term.matches(pod.namespace(), pod.ask().labels());
    }

    private static Optional<Domain> domain(DiagnosedNode node, String key) {
        return Optional.ofNullable(node.facts().node().labels().get(key)).map(value -> new Domain(key, value));
    }

    private SpreadCounts counts(Spread spread) {
        Map<String, Long> counts = new HashMap<>();
        for (DiagnosedNode node : nodes) {
            domain(node, spread.topologyKey())
                    .filter(_ -> isEligible(node, spread))
                    .ifPresent(domain -> counts.merge(domain.value(), matching(node, spread), Long::sum));
        }
        long least = counts.size() < spread.minDomains()
                ? 0
                : counts.values().stream().mapToLong(Long::longValue).min().orElse(0);
        return new SpreadCounts(spread, counts, least);
    }

    /**
     * Returns true if the pods of this node are counted for the topology spread constraint. A node counts only if it
     * has the topology keys of all spread constraints of the pod (PodTopologySpread, {@code PreFilter}).
     */
    private boolean isEligible(DiagnosedNode node, Spread spread) {
        boolean hasAll = peers.spread().stream()
                .allMatch(it -> domain(node, it.topologyKey()).isPresent());
        Predicate<PodNodeMismatch> counts = refusal -> switch (refusal) {
            case PodNodeMismatch.SelectorMismatch _, PodNodeMismatch.AffinityMismatch _ -> spread.honoursAffinity();
            case PodNodeMismatch.Untolerated(Taint _) -> spread.honoursTaints();
            case PodNodeMismatch.Cordoned _, PodNodeMismatch.OtherNode _, PodNodeMismatch.TooManyForOneClaim _ -> false;
        };
        return hasAll && !ask.constraints().isRefused(node.facts().node(), counts);
    }

    private static boolean isCounted(PodFacts pod) {
        RuleTime.check();
        return !pod.state().terminating();
    }

    private long matching(DiagnosedNode node, Spread spread) {
        return node.use().bound().stream()
                .filter(DiagnosedPodAffinity::isCounted)
                .filter(pod -> pod.namespace().equals(ask.namespace())
                        && spread.query().matches(pod.ask().labels()))
                .count();
    }

    /** Returns the reason why the pod cannot be placed on the node; empty if it can. */
    Optional<PodObstacle> on(DiagnosedNode node) {
        boolean unconcerned = forbidden.isEmpty() && ask.peers().isEmpty();
        return unconcerned ? Optional.empty() : obstacle(node);
    }

    private Optional<PodObstacle> obstacle(DiagnosedNode node) {
        List<String> facts = new ArrayList<>();
        if (isForbidden(node)) {
            facts.add("pods there and this one keep apart by their pod anti-affinity");
        }
        if (!isNear(node)) {
            facts.add(farFrom(node));
        }
        for (SpreadCounts counted : spreads) {
            if (skews(node, counted)) {
                facts.add("the topology spread over " + counted.spread().topologyKey() + " would exceed the skew of "
                        + counted.spread().maxSkew());
            }
        }
        return facts.isEmpty()
                ? Optional.empty()
                : Optional.of(new PodObstacle.Mismatch(DiagnosedMismatchReason.POD_AFFINITY, String.join(", ", facts)));
    }

    /**
     * Returns a clause about why the node does not meet the pod affinity. It names the nodes on which matching pods
     * run.
     */
    private String farFrom(DiagnosedNode node) {
        List<String> missing = peers.near().stream()
                .map(PeerTerm::topologyKey)
                .filter(key -> domain(node, key).isEmpty())
                .toList();
        return missing.isEmpty()
                ? "the pods that its pod affinity asks for are not there"
                        + (nearOn.isEmpty() ? "" : "; they are on " + FirstFiveNames.nodes(nearOn))
                : "the node has no label " + FirstFiveNames.of(missing) + ", by which its pod affinity compares nodes";
    }

    private boolean isForbidden(DiagnosedNode node) {
        return forbiddenKeys.stream()
                .anyMatch(key -> domain(node, key).filter(forbidden::contains).isPresent());
    }

    /**
     * Returns true if the node meets the required pod affinity of the diagnosed pod. If no other pod matches the terms
     * yet, but the diagnosed pod matches them itself, it may go to any node with the topology key.
     */
    private boolean isNear(DiagnosedNode node) {
        List<PeerTerm> wanted = peers.near();
        boolean first = !anyNear && wanted.stream().allMatch(term -> term.matches(ask.namespace(), ask.labels()));
        return wanted.stream()
                .allMatch(term -> domain(node, term.topologyKey())
                        .filter(domain -> first || near.contains(domain))
                        .isPresent());
    }

    private boolean skews(DiagnosedNode node, SpreadCounts counted) {
        Spread spread = counted.spread();
        Optional<Domain> domain = domain(node, spread.topologyKey());
        if (domain.isEmpty()) {
            return true;
        }
        long self = spread.query().matches(ask.labels()) ? 1 : 0;
        return counted.counts().getOrDefault(domain.get().value(), 0L) + self - counted.least() > spread.maxSkew();
    }
}
