package dev.sluice.kube.facts;

import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeRequirement.Operator;
import dev.sluice.doctor.facts.Peers;
import dev.sluice.doctor.facts.Peers.LabelQuery;
import dev.sluice.doctor.facts.Peers.PeerTerm;
import dev.sluice.doctor.facts.Peers.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads inter-pod affinity and topology spread. Used once. */
final class PeersReader {

    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

    /** Each may be compared with every pod; what people write has some. */
    private static final int MOST_TERMS = 64;

    /** The query for a missing selector, which matches no pod. */
    private static final LabelQuery NOTHING =
            new LabelQuery(List.of(new NodeRequirement("", Operator.UNKNOWN, List.of())));

    private final String namespace;
    private final Map<String, String> labels;
    private boolean exact = true;

    PeersReader(String namespace, Map<String, String> labels) {
        this.namespace = namespace;
        this.labels = labels;
    }

    Peers read(Fields spec) throws MalformedItem {
        Fields affinity = spec.object("affinity");
        List<PeerTerm> allNear = terms(affinity.object("podAffinity"));
        // A pod has to match all terms, so none of them is used if one had to be left out.
        List<PeerTerm> near = exact ? allNear : List.of();
        List<PeerTerm> apart = terms(affinity.object("podAntiAffinity"));
        List<Spread> spreads = new ArrayList<>();
        for (Fields constraint : spec.list("topologySpreadConstraints")) {
            if (!constraint.text("whenUnsatisfiable").equals("ScheduleAnyway")) {
                spreads.add(spread(constraint));
            }
        }
        if (spreads.size() > MOST_TERMS) {
            // A node counts only if it has the keys of all constraints, so none is used if there are too many.
            spreads.clear();
            exact = false;
        }
        Peers peers = new Peers(near, apart, spreads, exact);
        return peers.isEmpty() ? Peers.NONE : peers;
    }

    private List<PeerTerm> terms(Fields affinity) throws MalformedItem {
        List<PeerTerm> terms = new ArrayList<>();
        for (Fields term : affinity.list(REQUIRED)) {
            if (terms.size() < MOST_TERMS && canBeEvaluated(term)) {
                terms.add(new PeerTerm(query(term), namespaces(term), term.text("topologyKey")));
            } else {
                exact = false;
            }
        }
        return terms;
    }

    /** The labels of namespaces are not known here. */
    private static boolean canBeEvaluated(Fields term) throws MalformedItem {
        return !term.has("namespaceSelector")
                || term.object("namespaceSelector").json().isEmpty();
    }

    /** An empty namespace selector means all namespaces. */
    private Set<String> namespaces(Fields term) throws MalformedItem {
        List<String> named = term.strings("namespaces");
        return term.has("namespaceSelector") ? Set.of() : named.isEmpty() ? Set.of(namespace) : Set.copyOf(named);
    }

    private Spread spread(Fields constraint) throws MalformedItem {
        return new Spread(
                query(constraint),
                constraint.text("topologyKey"),
                constraint.number("maxSkew", 1),
                constraint.number("minDomains", 1),
                !constraint.text("nodeAffinityPolicy").equals("Ignore"),
                constraint.text("nodeTaintsPolicy").equals("Honor"));
    }

    private LabelQuery query(Fields owner) throws MalformedItem {
        if (!owner.has("labelSelector")) {
            return NOTHING;
        }
        List<NodeRequirement> requirements = new ArrayList<>();
        Fields selector = owner.object("labelSelector");
        selector.scalars("matchLabels")
                .forEach((key, value) -> requirements.add(new NodeRequirement(key, Operator.IN, List.of(value))));
        for (Fields expression : selector.list("matchExpressions")) {
            requirements.add(new NodeRequirement(
                    expression.text("key"), Operator.of(expression.text("operator")), expression.strings("values")));
        }
        addOwn(owner, "matchLabelKeys", Operator.IN, requirements);
        addOwn(owner, "mismatchLabelKeys", Operator.NOT_IN, requirements);
        return new LabelQuery(requirements);
    }

    /** The values of the pod's own labels count; keys that it does not have are ignored. */
    private void addOwn(Fields owner, String field, Operator operator, List<NodeRequirement> requirements)
            throws MalformedItem {
        for (String key : owner.strings(field)) {
            String value = labels.get(key);
            if (value != null) {
                requirements.add(new NodeRequirement(key, operator, List.of(value)));
            }
        }
    }
}
