package dev.sluice.kube.decode;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeSelectorTerm;
import dev.sluice.cluster.Toleration;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the scheduling constraints in a pod's spec. If they exceed a limit of {@link NodeConstraints}, none of the
 * constraints is kept: the remaining fields are skipped, and the constraints are marked as not evaluated.
 */
public final class NodeConstraintsDecoder {

    /** The assumed memory of one Java object in bytes, as in {@link NodeConstraints#weight}. */
    private static final long OBJECT_OVERHEAD = 64;

    private static final String WHOSE = "its nodeSelector, required node affinity and tolerations ";

    private final JsonCursor cursor;
    private final List<Toleration> tolerations = new ArrayList<>();
    private final Map<String, String> nodeSelector = new HashMap<>();
    private @Nullable String nodeName;
    private @Nullable List<NodeSelectorTerm> requiredTerms;
    private long weight;
    private int parts;
    /** The name of the limit that was exceeded. It is null while no limit is exceeded. */
    private @Nullable String exceededLimit;

    public NodeConstraintsDecoder(JsonCursor cursor) {
        this.cursor = cursor;
    }

    public void specField(String field) throws IOException {
        switch (field) {
            case "nodeName" -> nodeName = cursor.name(field);
            case "nodeSelector" -> cursor.object(field, key -> label(field, key));
            case "affinity" -> cursor.object(field, this::affinityField);
            case "tolerations" -> cursor.array(field, part(this::toleration));
            default -> cursor.skip();
        }
    }

    public NodeConstraints constraints() {
        // An empty nodeName means the same as no nodeName.
        String named = nodeName == null || nodeName.isEmpty() ? null : nodeName;
        return exceededLimit == null
                ? new NodeConstraints(named, nodeSelector, requiredTerms, tolerations)
                : NodeConstraints.notEvaluated(named, exceededLimit);
    }

    private void exceed(String limit) {
        exceededLimit = limit;
        nodeSelector.clear();
        tolerations.clear();
        requiredTerms = null;
    }

    /**
     * Returns a reader that decodes an entry. If the pod has more than {@link NodeConstraints#MOST_PARTS} entries, the
     * reader skips the entry.
     */
    private JsonCursor.ValueReader part(JsonCursor.ValueReader reader) {
        return () -> {
            if (hasRoomForPart()) {
                reader.read();
            } else {
                cursor.skip();
            }
        };
    }

    private boolean hasRoomForPart() {
        parts++;
        if (exceededLimit == null && parts > NodeConstraints.MOST_PARTS) {
            exceed(WHOSE + "have more than " + NodeConstraints.MOST_PARTS + " entries");
        }
        return exceededLimit == null;
    }

    private boolean hasRoomFor(long letters) {
        weight += OBJECT_OVERHEAD + letters;
        if (exceededLimit == null && weight > NodeConstraints.LARGEST) {
            exceed(WHOSE + "take more than " + NodeConstraints.LARGEST + " bytes");
        }
        return exceededLimit == null;
    }

    /**
     * Reads a text. If the text would make the constraints larger than {@link NodeConstraints#LARGEST}, skips it and
     * returns an empty text.
     */
    private String text(String field) throws IOException {
        if (hasRoomFor(cursor.letters())) {
            return cursor.textOrEmpty(field);
        }
        cursor.skip();
        return "";
    }

    private void label(String field, String key) throws IOException {
        if (!hasRoomForPart() || !hasRoomFor(key.length())) {
            cursor.skip();
            return;
        }
        String value = text(field);
        if (exceededLimit == null && nodeSelector.put(key, value) != null) {
            cursor.report(field + " has the key " + JsonCursor.shown(key) + " twice");
        }
    }

    private void affinityField(String field) throws IOException {
        if (field.equals("nodeAffinity")) {
            cursor.object(field, this::nodeAffinityField);
        } else {
            cursor.skip();
        }
    }

    private void nodeAffinityField(String field) throws IOException {
        if (field.equals("requiredDuringSchedulingIgnoredDuringExecution")) {
            requiredTerms(field);
        } else {
            cursor.skip();
        }
    }

    /**
     * Decodes a node selector with terms, and keeps it as a required node affinity. The field may belong to a pod or to
     * another object, such as an allocated claim.
     */
    public void requiredTerms(String field) throws IOException {
        List<NodeSelectorTerm> terms = new ArrayList<>();
        if (!cursor.isNull()) {
            requiredTerms = terms;
        }
        cursor.object(field, list -> {
            if (list.equals("nodeSelectorTerms")) {
                cursor.array(list, part(() -> terms.add(term())));
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
                case "matchExpressions" -> cursor.array(field, part(() -> expressions.add(requirement())));
                case "matchFields" -> cursor.array(field, part(() -> fields.add(requirement())));
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
                case "key" -> texts[0] = text(field);
                case "operator" -> texts[1] = cursor.name(field);
                case "values" -> cursor.array(field, () -> value(field, values));
                default -> cursor.skip();
            }
        });
        return new NodeRequirement(texts[0], NodeRequirement.Operator.of(texts[1]), values);
    }

    private void value(String field, List<String> values) throws IOException {
        String value = text(field);
        if (exceededLimit == null) {
            values.add(value);
        } else {
            values.clear();
        }
    }

    private void toleration() throws IOException {
        String[] texts = {"", "", "", ""};
        cursor.object("a toleration", field -> {
            switch (field) {
                case "key" -> texts[0] = text(field);
                case "operator" -> texts[1] = cursor.name(field);
                case "value" -> texts[2] = text(field);
                case "effect" -> texts[3] = text(field);
                default -> cursor.skip();
            }
        });
        if (exceededLimit == null) {
            tolerations.add(new Toleration(texts[0], Toleration.TolerationOperator.of(texts[1]), texts[2], texts[3]));
        }
    }
}
