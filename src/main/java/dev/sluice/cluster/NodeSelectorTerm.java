package dev.sluice.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Requirements that all have to match; a term without requirements matches no node. */
public record NodeSelectorTerm(List<NodeRequirement> matchExpressions, List<NodeRequirement> matchFields) {

    public NodeSelectorTerm {
        matchExpressions = List.copyOf(matchExpressions);
        matchFields = List.copyOf(matchFields);
    }

    boolean matches(String nodeName, Map<String, String> labels) {
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

    /** The number of entries: the term, because empty ones are evaluated too, and its requirements. */
    int parts() {
        return 1 + matchExpressions.size() + matchFields.size();
    }

    long weight() {
        return Stream.concat(matchExpressions.stream(), matchFields.stream())
                .mapToLong(NodeRequirement::weight)
                .sum();
    }

    /** The labels for which this term admits one value only. */
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

    /** The only node that this term can match, where it names one, as those of a DaemonSet do. */
    Optional<String> onlyNode() {
        for (NodeRequirement requirement : matchFields) {
            if (requirement.namesOneNode()) {
                return Optional.of(requirement.values().getFirst());
            }
        }
        return Optional.empty();
    }
}
