package dev.sluice.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A term of a node selector. A node matches if it meets all requirements of the term. A term without requirements
 * matches no node.
 */
public record NodeSelectorTerm(List<NodeRequirement> matchExpressions, List<NodeRequirement> matchFields) {

    public NodeSelectorTerm {
        matchExpressions = List.copyOf(matchExpressions);
        matchFields = List.copyOf(matchFields);
    }

    /** Returns true if a node with this name and these labels matches. */
    public boolean matches(String nodeName, Map<String, String> labels) {
        if (matchExpressions.isEmpty() && matchFields.isEmpty()) {
            return false;
        }
        for (NodeRequirement requirement : matchExpressions) {
            if (!requirement.isLegalForLabels() || !requirement.matches(labels)) {
                return false;
            }
        }
        for (NodeRequirement requirement : matchFields) {
            if (!requirement.isLegalForFields() || !requirement.matchesField(nodeName)) {
                return false;
            }
        }
        return true;
    }

    boolean readsNameOr(Set<String> keys) {
        return !matchFields.isEmpty()
                || matchExpressions.stream().anyMatch(requirement -> keys.contains(requirement.key()));
    }

    /**
     * Returns the number of entries that count for {@link NodeConstraints#MOST_PARTS}. Each requirement counts as one
     * entry. The term itself also counts, because even an empty term has to be evaluated.
     */
    int parts() {
        return 1 + matchExpressions.size() + matchFields.size();
    }

    long weight() {
        return Stream.concat(matchExpressions.stream(), matchFields.stream())
                .mapToLong(NodeRequirement::weight)
                .sum();
    }

    /** Returns the labels, with their values, for which this term allows only one value. */
    Map<String, String> wantedLabels() {
        Map<String, String> wanted = new HashMap<>();
        for (NodeRequirement requirement : matchExpressions) {
            if (requirement.operator() == NodeRequirement.Operator.IN
                    && requirement.values().size() == 1) {
                wanted.put(requirement.key(), requirement.values().getFirst());
            }
        }
        return wanted;
    }

    /**
     * Returns the name of the only node that can match; empty if no field names a node. The pods of a DaemonSet have
     * terms that name a node.
     */
    Optional<String> onlyNode() {
        for (NodeRequirement requirement : matchFields) {
            if (requirement.namesOneNode()) {
                return Optional.of(requirement.values().getFirst());
            }
        }
        return Optional.empty();
    }
}
