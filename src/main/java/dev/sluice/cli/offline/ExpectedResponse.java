package dev.sluice.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.Policy;
import dev.sluice.record.RecordedDecisionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The whole expected response of the AdmissionReview, with the patch as a list and without the uid. */
record ExpectedResponse(JsonNode response) implements ExpectedDecision {

    private static final String UNDECIDED = "";

    /** The only value of the audit annotation {@code enforcement} that an answer can contain. */
    private static final String OBSERVE = Policy.Enforcement.OBSERVE.word();

    /** Reads the response. Fields that contradict each other are reported as a problem. */
    static ExpectedResponse read(CaseFields fields, JsonNode response) {
        JsonNode allowed = fields.value("allowed");
        JsonNode patch = fields.value("patch");
        boolean hasStatus = fields.has("status");
        var _ = fields.texts("warnings");
        String decision = fields.section("auditAnnotations")
                .map(annotations -> {
                    String word = annotations.text("decision").orElse(UNDECIDED);
                    var _ = annotations.text("reason");
                    var _ = annotations.word("enforcement", List.of(OBSERVE));
                    annotations.refuseUnknown();
                    return word;
                })
                .orElse(UNDECIDED);
        fields.refuseUnknown();
        boolean isObserved =
                response.path("auditAnnotations").path("enforcement").asText().equals(OBSERVE);
        boolean isDenied = decision.equals(RecordedDecisionKind.DENIED.word()) && !isObserved;
        if (!allowed.isBoolean()) {
            fields.refuse(
                    "allowed", allowed.isMissingNode() ? "is missing" : "is no boolean", "expected true or false");
        } else if (allowed.booleanValue() == isDenied) {
            fields.refuse(
                    "allowed",
                    "is " + allowed + ", but the expected decision is " + (isDenied ? decision : "no denial"),
                    "change one of the two");
        }
        if (hasStatus && !isDenied) {
            fields.refuse("status", "is set, but only a denied pod has a status", "leave it out");
        }
        if (!patch.isMissingNode() && !patch.isArray()) {
            fields.refuse("patch", "is no list", "expected the operations of the patch, decoded");
        } else if (!patch.isEmpty() && isDenied) {
            fields.refuse("patch", "is set, but a denied pod is not patched", "leave it out");
        } else if (exchanges(patch) && !decision.equals(RecordedDecisionKind.CHANGED.word())) {
            fields.refuse(
                    "patch", "exchanges resources, but the expected decision is not changed", "change one of the two");
        }
        return new ExpectedResponse(response);
    }

    /** Returns true if the patch writes the annotation that lists exchanged resources. */
    static boolean exchanges(JsonNode patch) {
        return patch.valueStream()
                .filter(operation -> !operation.path("op").asText().equals("remove"))
                .anyMatch(operation -> operation.path("value").has(PodRequestAnnotations.FALLBACK)
                        || operation.path("value").path("annotations").has(PodRequestAnnotations.FALLBACK)
                        || operation
                                .path("path")
                                .asText()
                                .endsWith("/" + PodRequestAnnotations.FALLBACK.replace("/", "~1")));
    }

    @Override
    public String decision() {
        return response.path("auditAnnotations").path("decision").asText();
    }

    @Override
    public boolean isOfAnswer() {
        return true;
    }

    @Override
    public boolean hasPatch() {
        return !response.path("patch").isEmpty();
    }

    @Override
    public List<CaseFieldDifference> differences(ActualDecision actual) {
        List<CaseFieldDifference> found = new ArrayList<>();
        Set<String> fields = new TreeSet<>();
        response.fieldNames().forEachRemaining(fields::add);
        actual.response().fieldNames().forEachRemaining(fields::add);
        for (String field : fields) {
            JsonNode expected = response.path(field);
            JsonNode is = actual.response().path(field);
            switch (field) {
                case "patch" -> comparePatch(expected, is, found);
                case "auditAnnotations", "status" -> compareMembers(expected, is, found);
                default -> compareLists(field, values(expected), values(is), found);
            }
        }
        return found;
    }

    /** Compares the operations of two patches. */
    static void comparePatch(JsonNode expected, JsonNode actual, List<CaseFieldDifference> found) {
        compareLists("patch", values(sorted(expected)), values(sorted(actual)), found);
    }

    private static void compareMembers(JsonNode expected, JsonNode actual, List<CaseFieldDifference> found) {
        Set<String> members = new TreeSet<>();
        expected.fieldNames().forEachRemaining(members::add);
        actual.fieldNames().forEachRemaining(members::add);
        members.forEach(
                member -> compareLists(member, values(expected.path(member)), values(actual.path(member)), found));
    }

    private static void compareLists(
            String field, List<String> expected, List<String> actual, List<CaseFieldDifference> found) {
        if (!expected.equals(actual)) {
            List<String> missing = CaseFieldDifference.missing(expected, actual);
            List<String> more = CaseFieldDifference.missing(actual, expected);
            boolean isOrder = missing.isEmpty() && more.isEmpty();
            found.add(new CaseFieldDifference(field, isOrder ? expected : missing, isOrder ? actual : more));
        }
    }

    /**
     * Returns the items of a list, or the value itself as the only item. Returns an empty list if the value is missing.
     */
    private static List<String> values(JsonNode node) {
        if (node.isMissingNode()) {
            return List.of();
        }
        return node.isArray() ? node.valueStream().map(ExpectedResponse::text).toList() : List.of(text(node));
    }

    private static String text(JsonNode node) {
        return node.isTextual() ? node.textValue() : node.toString();
    }

    /** Returns the value with the members of all objects in the order of their names. */
    private static JsonNode sorted(JsonNode node) {
        if (node.isObject()) {
            var sorted = JsonNodeFactory.instance.objectNode();
            Set<String> names = new TreeSet<>();
            node.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> sorted.set(name, sorted(node.path(name))));
            return sorted;
        }
        if (node.isArray()) {
            var sorted = JsonNodeFactory.instance.arrayNode();
            node.forEach(item -> sorted.add(sorted(item)));
            return sorted;
        }
        return node;
    }
}
