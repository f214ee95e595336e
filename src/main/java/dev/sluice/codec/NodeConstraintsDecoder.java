package dev.sluice.codec;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeSelectorTerm;
import dev.sluice.cluster.Toleration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads from a pod's spec where the pod may run. */
final class NodeConstraintsDecoder {

    private final JsonCursor cursor;
    private final List<Toleration> tolerations = new ArrayList<>();
    private @Nullable String nodeName;
    private @Nullable Map<String, String> nodeSelector;
    private @Nullable List<NodeSelectorTerm> requiredTerms;

    NodeConstraintsDecoder(JsonCursor cursor) {
        this.cursor = cursor;
    }

    void specField(String field) throws IOException {
        switch (field) {
            case "nodeName" -> nodeName = cursor.text(field);
            case "nodeSelector" -> nodeSelector = cursor.textMap(field);
            case "affinity" -> cursor.object(field, this::affinityField);
            case "tolerations" -> cursor.array(field, this::toleration);
            default -> cursor.skip();
        }
    }

    NodeConstraints constraints() {
        // A node name that is empty is none.
        String named = nodeName == null || nodeName.isEmpty() ? null : nodeName;
        return new NodeConstraints(named, nodeSelector == null ? Map.of() : nodeSelector, requiredTerms, tolerations);
    }

    private void affinityField(String field) throws IOException {
        if (field.equals("nodeAffinity")) {
            cursor.object(field, this::nodeAffinityField);
        } else {
            cursor.skip();
        }
    }

    private void nodeAffinityField(String field) throws IOException {
        if (!field.equals("requiredDuringSchedulingIgnoredDuringExecution")) {
            cursor.skip();
            return;
        }
        List<NodeSelectorTerm> terms = new ArrayList<>();
        if (!cursor.isNull()) {
            requiredTerms = terms;
        }
        cursor.object(field, list -> {
            if (list.equals("nodeSelectorTerms")) {
                cursor.array(list, () -> terms.add(term()));
            } else {
                cursor.skip();
            }
        });
    }

    private NodeSelectorTerm term() throws IOException {
        List<NodeRequirement> expressions = new ArrayList<>();
        List<NodeRequirement> fields = new ArrayList<>();
        cursor.object("a nodeSelectorTerm", field -> {
            switch (field) {
                case "matchExpressions" -> cursor.array(field, () -> expressions.add(requirement()));
                case "matchFields" -> cursor.array(field, () -> fields.add(requirement()));
                default -> cursor.skip();
            }
        });
        return new NodeSelectorTerm(expressions, fields);
    }

    private NodeRequirement requirement() throws IOException {
        String[] texts = {"", ""};
        List<String> values = new ArrayList<>();
        cursor.object("a node selector requirement", field -> {
            switch (field) {
                case "key" -> texts[0] = cursor.textOrEmpty(field);
                case "operator" -> texts[1] = cursor.textOrEmpty(field);
                case "values" -> values.addAll(cursor.texts(field));
                default -> cursor.skip();
            }
        });
        return new NodeRequirement(texts[0], NodeRequirement.Operator.of(texts[1]), values);
    }

    private void toleration() throws IOException {
        String[] texts = {"", "", "", ""};
        cursor.object("a toleration", field -> {
            switch (field) {
                case "key" -> texts[0] = cursor.textOrEmpty(field);
                case "operator" -> texts[1] = cursor.textOrEmpty(field);
                case "value" -> texts[2] = cursor.textOrEmpty(field);
                case "effect" -> texts[3] = cursor.textOrEmpty(field);
                default -> cursor.skip();
            }
        });
        tolerations.add(new Toleration(texts[0], Toleration.Operator.of(texts[1]), texts[2], texts[3]));
    }
}
