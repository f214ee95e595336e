package dev.sluice.cli.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.admission.request.Policy;
import dev.sluice.json.JsonParsers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * The top-level fields of one line of JSON: an audit event, a recorded decision, or something else. The bodies of the
 * request and the response are skipped and not stored, because most lines of an audit log are not about pods.
 */
final class AuditLogLine {

    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(JsonParsers.withoutLimitOfLength())
            .build();

    /** The audit annotation with the decision. The API server puts the name of the webhook before the key. */
    private static final String DECISION = "gpu-allocation.k8s.io/decision";

    private static final String REASON = "gpu-allocation.k8s.io/reason";
    private static final String ENFORCEMENT = "gpu-allocation.k8s.io/enforcement";

    String kind = "";
    String apiVersion = "";
    String auditId = "";
    String stage = "";
    String verb = "";
    String uri = "";
    String received = "";
    String resource = "";
    String subresource = "";
    String namespace = "";
    String name = "";
    String decision = "";
    String reason = "";
    boolean hasContainers;
    /** True if the decision was not carried out. */
    boolean observed;

    int code;

    private AuditLogLine() {}

    /** Returns the fields; empty if the text is not one JSON object. */
    static Optional<AuditLogLine> read(byte[] text, int from, int length) {
        // The line is read as a stream: if Jackson got the array, it would read beyond the end of a line of more than 8
        // KiB.
        try (JsonParser parser = JSON.createParser(new ByteArrayInputStream(text, from, length))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            AuditLogLine line = new AuditLogLine();
            for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                parser.nextToken();
                line.field(field, parser);
            }
            if (line.observed) {
                line.decision = "";
                line.reason = "";
            }
            return parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null
                    ? Optional.of(line)
                    : Optional.empty();
        } catch (IOException broken) {
            return Optional.empty();
        }
    }

    private void field(String field, JsonParser parser) throws IOException {
        switch (field) {
            case "kind" -> kind = text(parser);
            case "apiVersion" -> apiVersion = text(parser);
            case "auditID" -> auditId = text(parser);
            case "stage" -> stage = text(parser);
            case "verb" -> verb = text(parser);
            case "requestURI" -> uri = text(parser);
            case "requestReceivedTimestamp" -> received = text(parser);
            case "decision" -> decision = text(parser);
            case "containers" -> {
                hasContainers = true;
                parser.skipChildren();
            }
            case "objectRef" -> object(parser, this::reference);
            case "responseStatus" -> object(parser, this::status);
            case "annotations" -> object(parser, this::annotation);
            default -> parser.skipChildren();
        }
    }

    private interface MemberReading {
        void read(String field, JsonParser parser) throws IOException;
    }

    private static void object(JsonParser parser, MemberReading members) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            parser.nextToken();
            members.read(field, parser);
        }
    }

    private void reference(String field, JsonParser parser) throws IOException {
        switch (field) {
            case "resource" -> resource = text(parser);
            case "subresource" -> subresource = text(parser);
            case "namespace" -> namespace = text(parser);
            case "name" -> name = text(parser);
            default -> parser.skipChildren();
        }
    }

    private void status(String field, JsonParser parser) throws IOException {
        if (field.equals("code") && parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            code = parser.getIntValue();
        } else {
            parser.skipChildren();
        }
    }

    private void annotation(String field, JsonParser parser) throws IOException {
        switch (field) {
            case DECISION -> decision = text(parser);
            case REASON -> reason = text(parser);
            case ENFORCEMENT -> observed = text(parser).equals(Policy.Enforcement.OBSERVE.word());
            default -> parser.skipChildren();
        }
    }

    private static String text(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            return parser.getText();
        }
        parser.skipChildren();
        return "";
    }

    boolean isAuditEvent() {
        return apiVersion.startsWith("audit.k8s.io/");
    }

    /**
     * Returns true for an event that was written after its request was answered, in the version of the audit API that
     * this release knows.
     */
    boolean isKnownVersion() {
        return apiVersion.equals("audit.k8s.io/v1") && kind.equals("Event");
    }

    boolean isAnswered() {
        return stage.equals("ResponseComplete");
    }

    boolean isAboutPods() {
        return resource.equals("pods");
    }

    boolean isDryRun() {
        return uri.contains("dryRun=All");
    }

    boolean isDone() {
        return code < 400;
    }

    /** Returns true for a line of the JSON log of a gateway that contains a decision. */
    boolean isLoggedDecision() {
        return !decision.isEmpty() && !hasContainers;
    }

    boolean isRecord() {
        return !decision.isEmpty() && hasContainers;
    }
}
