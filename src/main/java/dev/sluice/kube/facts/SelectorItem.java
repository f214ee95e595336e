package dev.sluice.kube.facts;

import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeRequirement.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

record SelectorItem(Map<String, String> matchLabels, List<RequirementItem> matchExpressions) {

    /** One requirement of a label selector or node selector. */
    record RequirementItem(String key, String operator, List<String> values) {}

    boolean selectsAll() {
        return matchLabels.isEmpty() && matchExpressions.isEmpty();
    }

    List<NodeRequirement> requirements() {
        List<NodeRequirement> requirements = new ArrayList<>();
        matchLabels.forEach((key, value) -> requirements.add(new NodeRequirement(key, Operator.IN, List.of(value))));
        for (RequirementItem expression : matchExpressions) {
            requirements.add(
                    new NodeRequirement(expression.key(), Operator.of(expression.operator()), expression.values()));
        }
        return requirements;
    }
}
