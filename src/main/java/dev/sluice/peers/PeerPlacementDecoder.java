package dev.sluice.peers;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeSelectorTerm;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonCursor;
import dev.sluice.json.JsonFieldSet;
import dev.sluice.ledger.placement.PlacementOrigin;
import dev.sluice.ledger.placement.PlacementRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the reservation in a message between replicas: the resources, the namespace, and the constraints and the origin
 * of the pod.
 */
final class PeerPlacementDecoder {

    private static final List<String> FIELDS =
            List.of("stamp", "namespace", "resources", "amounts", "promised", "constraints", "origin", "priority");
    private static final List<String> NEEDED = FIELDS.subList(0, FIELDS.indexOf("constraints"));
    private static final List<String> ORIGIN = List.of("name", "style", "owner");
    /** The word for a pod whose controller creates pods in batches. All other pods have the word {@link #ANY}. */
    static final String IN_BATCHES = "IN_BATCHES";

    static final String ANY = "ANY";

    private static final List<String> PRIORITY = List.of("value", "preempts");
    private static final List<String> CONSTRAINTS =
            List.of("nodeName", "notEvaluated", "nodeSelector", "requiredTerms", "tolerations");
    private static final List<String> TERM = List.of("matchExpressions", "matchFields");
    private static final List<String> REQUIREMENT = List.of("key", "operator", "values");
    private static final List<String> TOLERATION = List.of("key", "operator", "value", "effect");

    private final JsonCursor cursor;
    private final PeerMessageFields json;

    private String stamp = "";
    private String namespace = "";
    private List<String> resources = List.of();
    private final List<Long> amounts = new ArrayList<>();
    private boolean promised;
    private NodeConstraints constraints = NodeConstraints.NONE;
    private PlacementOrigin origin = PlacementOrigin.UNKNOWN;
    private PodPriority priority = PodPriority.NORMAL;

    PeerPlacementDecoder(JsonCursor cursor) {
        this.cursor = cursor;
        this.json = new PeerMessageFields(cursor);
    }

    PlacementRequest placement() throws IOException {
        JsonFieldSet fields = new JsonFieldSet(cursor, "the placement's ", FIELDS);
        cursor.object("a placement", field -> {
            if (fields.isToBeRead(field)) {
                read(field);
            }
        });
        json.demand("a placement", fields, NEEDED);
        return new PlacementRequest(stamp, namespace, need(), constraints, promised, origin, priority);
    }

    private void read(String field) throws IOException {
        switch (field) {
            case "stamp" -> stamp = json.text(field);
            case "namespace" -> namespace = json.text(field);
            case "resources" -> resources = json.texts(field);
            case "amounts" -> cursor.array(field, () -> amounts.add(json.number(field)));
            case "promised" -> promised = json.truth(field);
            case "constraints" -> constraints = constraints();
            case "origin" -> origin = origin();
            default -> priority = priority();
        }
    }

    private Amounts need() {
        TreeMap<ResourceName, Long> need = new TreeMap<>();
        if (resources.size() != amounts.size()) {
            cursor.report("a placement has not as many amounts as resources");
            return Amounts.NONE;
        }
        for (int i = 0; i < resources.size(); i++) {
            if (amounts.get(i) < 0) {
                cursor.report("an amount is negative");
            }
            need.put(new ResourceName(resources.get(i)), amounts.get(i));
        }
        return Amounts.ofUnits(need);
    }

    private PlacementOrigin origin() throws IOException {
        String[] texts = {"", "", ""};
        JsonFieldSet fields = new JsonFieldSet(cursor, "the origin's ", ORIGIN);
        cursor.object("an origin", field -> {
            if (fields.isToBeRead(field)) {
                texts[ORIGIN.indexOf(field)] = json.text(field);
            }
        });
        json.demand("an origin", fields, ORIGIN.subList(0, 2));
        PodId owner = fields.has("owner") ? PodId.of(texts[2]) : null;
        String style = texts[1];
        if (!style.equals(IN_BATCHES) && !style.equals(ANY)) {
            cursor.report("style has an unknown word");
        }
        return style.equals(IN_BATCHES)
                ? PlacementOrigin.inBatches(texts[0], owner)
                : PlacementOrigin.any(texts[0], owner);
    }

    private PodPriority priority() throws IOException {
        int[] value = new int[1];
        boolean[] preempts = new boolean[1];
        JsonFieldSet fields = new JsonFieldSet(cursor, "the priority's ", PRIORITY);
        cursor.object("a priority", field -> {
            if (fields.isToBeRead(field)) {
                if (field.equals("value")) {
                    value[0] = cursor.integer(field);
                } else {
                    preempts[0] = json.truth(field);
                }
            }
        });
        json.demand("a priority", fields, PRIORITY);
        return new PodPriority(value[0], preempts[0]);
    }

    private NodeConstraints constraints() throws IOException {
        ConstraintFields read = new ConstraintFields();
        JsonFieldSet fields = new JsonFieldSet(cursor, "the constraints' ", CONSTRAINTS);
        cursor.object("constraints", field -> {
            if (fields.isToBeRead(field)) {
                constraintField(field, read);
            }
        });
        if (read.notEvaluated != null) {
            return NodeConstraints.notEvaluated(read.nodeName, read.notEvaluated);
        }
        NodeConstraints complete =
                new NodeConstraints(read.nodeName, read.selector, read.requiredTerms, read.tolerations);
        // The sender may have added a few tolerations to the constraints of the pod, so the limits here are twice as
        // high.
        if (complete.weight() > 2 * NodeConstraints.LARGEST || complete.parts() > 2 * NodeConstraints.MOST_PARTS) {
            cursor.report("constraints exceed the limits");
        }
        return complete;
    }

    /** The constraints that have been read so far. */
    private static final class ConstraintFields {
        private @Nullable String nodeName;
        private @Nullable String notEvaluated;
        private final Map<String, String> selector = new HashMap<>();
        private @Nullable List<NodeSelectorTerm> requiredTerms;
        private final List<Toleration> tolerations = new ArrayList<>();
    }

    private void constraintField(String field, ConstraintFields read) throws IOException {
        switch (field) {
            case "nodeName" -> read.nodeName = json.text(field);
            case "notEvaluated" -> read.notEvaluated = json.text(field);
            case "nodeSelector" -> selector(json.texts(field), read.selector);
            case "requiredTerms" -> {
                List<NodeSelectorTerm> terms = new ArrayList<>();
                cursor.array(field, () -> terms.add(term()));
                read.requiredTerms = terms;
            }
            default -> cursor.array(field, () -> read.tolerations.add(toleration()));
        }
    }

    private void selector(List<String> keysAndValues, Map<String, String> into) {
        if (keysAndValues.size() % 2 != 0) {
            cursor.report("a key of the nodeSelector has no value");
            return;
        }
        for (int i = 0; i < keysAndValues.size(); i += 2) {
            into.put(keysAndValues.get(i), keysAndValues.get(i + 1));
        }
    }

    private NodeSelectorTerm term() throws IOException {
        List<NodeRequirement> expressions = new ArrayList<>();
        List<NodeRequirement> matchFields = new ArrayList<>();
        JsonFieldSet fields = new JsonFieldSet(cursor, "the term's ", TERM);
        cursor.object("a term", field -> {
            if (fields.isToBeRead(field)) {
                List<NodeRequirement> into = field.equals("matchFields") ? matchFields : expressions;
                cursor.array(field, () -> into.add(requirement()));
            }
        });
        return new NodeSelectorTerm(expressions, matchFields);
    }

    private NodeRequirement requirement() throws IOException {
        String[] texts = {"", ""};
        List<String> values = new ArrayList<>();
        JsonFieldSet fields = new JsonFieldSet(cursor, "the requirement's ", REQUIREMENT);
        cursor.object("a requirement", field -> {
            if (fields.isToBeRead(field)) {
                if (field.equals("values")) {
                    values.addAll(json.texts(field));
                } else {
                    texts[REQUIREMENT.indexOf(field)] = json.text(field);
                }
            }
        });
        json.demand("a requirement", fields, REQUIREMENT);
        NodeRequirement.Operator operator =
                known("operator", NodeRequirement.Operator.values(), texts[1], NodeRequirement.Operator.UNKNOWN);
        return new NodeRequirement(texts[0], operator, values);
    }

    private Toleration toleration() throws IOException {
        String[] texts = {"", "", "", ""};
        JsonFieldSet fields = new JsonFieldSet(cursor, "the toleration's ", TOLERATION);
        cursor.object("a toleration", field -> {
            if (fields.isToBeRead(field)) {
                texts[TOLERATION.indexOf(field)] = json.text(field);
            }
        });
        json.demand("a toleration", fields, TOLERATION);
        Toleration.TolerationOperator operator = known(
                "operator", Toleration.TolerationOperator.values(), texts[1], Toleration.TolerationOperator.UNKNOWN);
        return new Toleration(texts[0], operator, texts[2], texts[3]);
    }

    /** Returns the constant with this name. If there is none, reports a problem and returns {@code otherwise}. */
    private <T extends Enum<T>> T known(String what, T[] constants, String name, T otherwise) {
        for (T constant : constants) {
            if (constant.name().equals(name)) {
                return constant;
            }
        }
        cursor.report(what + " has an unknown word");
        return otherwise;
    }
}
