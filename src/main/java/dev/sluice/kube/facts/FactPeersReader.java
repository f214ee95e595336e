package dev.sluice.kube.facts;

import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeRequirement.Operator;
import dev.sluice.doctor.facts.PodAffinityFacts;
import dev.sluice.doctor.facts.PodAffinityFacts.LabelQuery;
import dev.sluice.doctor.facts.PodAffinityFacts.PeerTerm;
import dev.sluice.doctor.facts.PodAffinityFacts.Spread;
import dev.sluice.kube.facts.AffinityItem.PodAffinityItem;
import dev.sluice.kube.facts.AffinityItem.PodTermItem;
import dev.sluice.kube.facts.PodSpecItem.SpreadItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts inter-pod affinity and topology spread constraints into queries. An instance can be used only once. */
final class FactPeersReader {

    /**
     * The maximum number of terms that are evaluated. Each term may be compared with every pod, and people write only a
     * few terms.
     */
    private static final int MOST_TERMS = 64;

    /** The query for a term without a label selector. It matches no pod. */
    private static final LabelQuery NOTHING =
            new LabelQuery(List.of(new NodeRequirement("", Operator.UNKNOWN, List.of())));

    private final String namespace;
    private final Map<String, String> labels;
    private boolean exact = true;

    FactPeersReader(String namespace, Map<String, String> labels) {
        this.namespace = namespace;
        this.labels = labels;
    }

    PodAffinityFacts read(PodSpecItem spec) {
        AffinityItem affinity = spec.affinity();
        List<PeerTerm> allNear = terms(affinity == null ? null : affinity.podAffinity());
        // An existing pod counts for pod affinity only if it matches all terms. If one term cannot be evaluated, no
        // term is used, because the other terms alone would match too many pods.
        List<PeerTerm> near = exact ? allNear : List.of();
        List<PeerTerm> apart = terms(affinity == null ? null : affinity.podAntiAffinity());
        PodAffinityFacts peers = new PodAffinityFacts(near, apart, spreads(spec), exact);
        return peers.isEmpty() ? PodAffinityFacts.NONE : peers;
    }

    /**
     * Returns the spread constraints; empty if there are too many. Using only some of the constraints would give wrong
     * results, because a node is eligible only if it has the topology keys of all constraints.
     */
    private List<Spread> spreads(PodSpecItem spec) {
        List<Spread> spreads = spec.topologySpreadConstraints().stream()
                .filter(constraint -> !constraint.whenUnsatisfiable().equals("ScheduleAnyway"))
                .limit(MOST_TERMS + 1)
                .map(this::spread)
                .toList();
        exact &= spreads.size() <= MOST_TERMS;
        return spreads.size() <= MOST_TERMS ? spreads : List.of();
    }

    private List<PeerTerm> terms(@Nullable PodAffinityItem affinity) {
        List<PeerTerm> terms = new ArrayList<>();
        for (PodTermItem term : affinity == null ? List.<PodTermItem>of() : affinity.required()) {
            if (terms.size() < MOST_TERMS && canBeEvaluated(term)) {
                terms.add(new PeerTerm(
                        query(term.labelSelector(), term.matchLabelKeys(), term.mismatchLabelKeys()),
                        namespaces(term),
                        term.topologyKey()));
            } else {
                exact = false;
            }
        }
        return terms;
    }

    /**
     * Returns false if the term has a namespace selector that is not empty. Such a term cannot be evaluated, because
     * the labels of namespaces are not collected.
     */
    private static boolean canBeEvaluated(PodTermItem term) {
        return term.namespaceSelector() == null || term.namespaceSelector().selectsAll();
    }

    /**
     * Returns the namespaces of the term; an empty set means all namespaces. A term without namespaces and without a
     * namespace selector applies to the namespace of the pod. If the term has a namespace selector, the selector is
     * empty and selects all namespaces, because terms with other selectors are not evaluated.
     */
    private Set<String> namespaces(PodTermItem term) {
        return term.namespaceSelector() != null
                ? Set.of()
                : term.namespaces().isEmpty() ? Set.of(namespace) : Set.copyOf(term.namespaces());
    }

    private Spread spread(SpreadItem constraint) {
        return new Spread(
                query(constraint.labelSelector(), constraint.matchLabelKeys(), List.of()),
                constraint.topologyKey(),
                constraint.maxSkew() == null ? 1 : constraint.maxSkew(),
                constraint.minDomains() == null ? 1 : constraint.minDomains(),
                !constraint.nodeAffinityPolicy().equals("Ignore"),
                constraint.nodeTaintsPolicy().equals("Honor"));
    }

    private LabelQuery query(@Nullable SelectorItem selector, List<String> sameKeys, List<String> otherKeys) {
        if (selector == null) {
            return NOTHING;
        }
        List<NodeRequirement> requirements = selector.requirements();
        addOwn(sameKeys, Operator.IN, requirements);
        addOwn(otherKeys, Operator.NOT_IN, requirements);
        return new LabelQuery(requirements);
    }

    /**
     * Adds a requirement for each label key, with the value of this label in the pod itself. As in the scheduler, a key
     * is ignored if the pod has no such label.
     */
    private void addOwn(List<String> keys, Operator operator, List<NodeRequirement> requirements) {
        for (String key : keys) {
            String value = labels.get(key);
            if (value != null) {
                requirements.add(new NodeRequirement(key, operator, List.of(value)));
            }
        }
    }
}
