package dev.sluice.cli.demo;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * An answer of the gateway to a review of the demo, decoded from the HTTP response.
 *
 * @param decision the decision in the audit annotations; empty if the annotations contain none
 * @param message the message of a denial; empty if the pod was admitted
 * @param got the resources that the pod requests after the patch
 */
record DemoAnswer(
        boolean allowed,
        String decision,
        String reason,
        List<String> warnings,
        String message,
        JsonNode patch,
        List<String> got) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;

    /**
     * Decodes an answer.
     *
     * @throws IOException with a description of the reply if the reply is not an answer to this review
     */
    static DemoAnswer read(DemoReview review, DemoStage.Reply reply) throws IOException {
        if (reply.status() != OK) {
            String body = reply.body().strip();
            throw new IOException("the gateway answered " + reply.status() + (body.isEmpty() ? "" : ": " + body));
        }
        JsonNode response = JSON.readTree(reply.body()).path("response");
        if (!response.path("uid").asText().equals(review.uid())) {
            throw new IOException("the gateway answered another review than it was asked");
        }
        JsonNode patch =
                response.has("patch") ? JSON.readTree(response.path("patch").binaryValue()) : JSON.createArrayNode();
        List<String> warnings = new ArrayList<>();
        response.path("warnings").forEach(warning -> warnings.add(warning.asText()));
        JsonNode audit = response.path("auditAnnotations");
        return new DemoAnswer(
                response.path("allowed").asBoolean(),
                audit.path("decision").asText(),
                audit.path("reason").asText(),
                warnings,
                response.path("status").path("message").asText(),
                patch,
                DemoReview.asks(patched(review.pod(), patch)));
    }

    private static ObjectNode patched(ObjectNode pod, JsonNode patch) throws IOException {
        ObjectNode patched = pod.deepCopy();
        for (JsonNode operation : patch) {
            JsonPointer path = JsonPointer.compile(operation.path("path").asText());
            if (!(patched.at(path.head()) instanceof ObjectNode parent)) {
                throw new IOException("the patch that the gateway gave cannot be applied at " + path);
            }
            String key = path.last().getMatchingProperty();
            switch (operation.path("op").asText()) {
                case "add", "replace" -> parent.set(key, operation.path("value"));
                case "remove" -> parent.remove(key);
                default -> throw new IOException("the gateway gave an operation that it never gives: " + operation);
            }
        }
        return patched;
    }
}
