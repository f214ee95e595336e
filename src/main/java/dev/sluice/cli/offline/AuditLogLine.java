package dev.sluice.cli.offline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.admission.request.Policy;
import dev.sluice.json.JsonParsers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The fields of one line of JSON: an audit event, a recorded decision, or something else. The bodies of the request and
 * the response are not stored, because most lines of an audit log are not about pods.
 *
 * @param texts the values of the needed fields; the key is the path of the field, such as {@code objectRef/name}
 */
record AuditLogLine(Map<String, String> texts) {

    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(JsonParsers.withoutLimitOfLength())
            .build();

    /**
     * The path of the audit annotation with the decision. The API server adds the name of the webhook before the key.
     */
    private static final String DECIDED = "annotations/gpu-allocation.k8s.io/decision";

    private static final String REASON = "annotations/gpu-allocation.k8s.io/reason";
    private static final String ENFORCEMENT = "annotations/gpu-allocation.k8s.io/enforcement";

    /** The field that contains the decision, both in a recorded decision and in a line of a gateway's log. */
    private static final String RECORDED = "decision";

    /** The objects in an event from which fields are read. */
    private static final Set<String> OBJECTS = Set.of("objectRef", "responseStatus", "annotations");

    private static final Set<String> TEXTS = Set.of(
            "kind",
            "apiVersion",
            "auditID",
            "stage",
            "verb",
            "requestURI",
            "requestReceivedTimestamp",
            "objectRef/resource",
            "objectRef/subresource",
            "objectRef/namespace",
            "objectRef/name",
            DECIDED,
            REASON,
            ENFORCEMENT,
            RECORDED);

    private static final String CODE = "responseStatus/code";
    private static final String CONTAINERS = "containers";

    AuditLogLine {
        texts = Map.copyOf(texts);
    }

    /** Returns the fields of the line; empty if the text is not one JSON object. */
    static Optional<AuditLogLine> read(byte[] text, int from, int length) {
        // The parser gets a stream and not the array. With the array, Jackson would read beyond the end of a line of
        // more than 8 KiB.
        try (JsonParser parser = JSON.createParser(new ByteArrayInputStream(text, from, length))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            Map<String, String> texts = new HashMap<>();
            fields("", parser, texts);
            return parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null
                    ? Optional.of(new AuditLogLine(texts))
                    : Optional.empty();
        } catch (IOException broken) {
            return Optional.empty();
        }
    }

    private static void fields(String prefix, JsonParser parser, Map<String, String> texts) throws IOException {
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            JsonToken value = parser.nextToken();
            String path = prefix + field;
            if (value == JsonToken.START_OBJECT && prefix.isEmpty() && OBJECTS.contains(field)) {
                fields(field + "/", parser, texts);
            } else if (value == JsonToken.VALUE_STRING && TEXTS.contains(path)) {
                texts.put(path, parser.getText());
            } else if (value == JsonToken.VALUE_NUMBER_INT && path.equals(CODE)) {
                texts.put(CODE, Integer.toString(parser.getIntValue()));
            } else if (path.equals(CONTAINERS)) {
                texts.put(CONTAINERS, "");
                parser.skipChildren();
            } else {
                parser.skipChildren();
            }
        }
    }

    private String text(String path) {
        return texts.getOrDefault(path, "");
    }

    boolean isOfAuditApi() {
        return text("apiVersion").startsWith("audit.k8s.io/");
    }

    /** Returns true for an event in the version of the audit API that this release knows. */
    boolean isKnownVersion() {
        return text("apiVersion").equals("audit.k8s.io/v1");
    }

    /** Returns true for an audit event, and false for other objects of the audit API, such as the audit policy. */
    boolean isEvent() {
        return text("kind").equals("Event");
    }

    /** Returns true for the event that was written after the request was answered. */
    boolean isAnswered() {
        return text("stage").equals("ResponseComplete");
    }

    boolean isAboutPods() {
        return text("objectRef/resource").equals("pods");
    }

    boolean isDryRun() {
        return text("requestURI").contains("dryRun=All");
    }

    boolean isDone() {
        return Integer.parseInt(texts.getOrDefault(CODE, "0")) < 400;
    }

    String auditId() {
        return text("auditID");
    }

    String verb() {
        return text("verb");
    }

    String subresource() {
        return text("objectRef/subresource");
    }

    String namespace() {
        return text("objectRef/namespace");
    }

    String name() {
        return text("objectRef/name");
    }

    /** Returns the time of the request as the API server has written it. */
    String received() {
        return text("requestReceivedTimestamp");
    }

    /**
     * Returns the word of the decision in the audit event. Returns empty if the event contains none. Also returns empty
     * if the policy only observed, because the decision was then not carried out.
     */
    String decision() {
        return isObserved() ? "" : text(DECIDED);
    }

    String reason() {
        return isObserved() ? "" : text(REASON);
    }

    private boolean isObserved() {
        return text(ENFORCEMENT).equals(Policy.Enforcement.OBSERVE.word());
    }

    /** Returns true for a line of the JSON log of a gateway that contains a decision. */
    boolean isLoggedDecision() {
        return !text(RECORDED).isEmpty() && !texts.containsKey(CONTAINERS);
    }

    boolean isRecord() {
        return !text(RECORDED).isEmpty() && texts.containsKey(CONTAINERS);
    }
}
