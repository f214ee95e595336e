package dev.sluice.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.patch.JsonPointer;
import dev.sluice.patch.PatchOperation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An answer of the gateway, as its response tells it.
 *
 * @param decision of the audit annotations; empty if the gateway had nothing to say
 * @param message of a denial; empty otherwise
 * @param got what the pod asks for after the patch
 */
record DemoAnswer(
        Admitted allowed,
        String decision,
        String reason,
        List<String> warnings,
        String message,
        List<PatchOperation> patch,
        List<String> got) {

    enum Admitted {
        YES,
        NO
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;

    /** @throws IOException if the reply is no answer to this review; the message says what it is instead */
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
                response.path("allowed").asBoolean() ? Admitted.YES : Admitted.NO,
                audit.path("decision").asText(),
                audit.path("reason").asText(),
                warnings,
                response.path("status").path("message").asText(),
                operations(patch),
                DemoPod.asks(patched(review.pod(), patch)));
    }

    private static ObjectNode patched(ObjectNode pod, JsonNode patch) throws IOException {
        ObjectNode patched = pod.deepCopy();
        for (JsonNode operation : patch) {
            var path = com.fasterxml.jackson.core.JsonPointer.compile(
                    operation.path("path").asText());
            if (!(patched.at(path.head()) instanceof ObjectNode parent)) {
                throw new IOException("the patch that the gateway gave cannot be applied at " + path);
            }
            String key = path.last().getMatchingProperty();
            if (operation.path("op").asText().equals("remove")) {
                parent.remove(key);
            } else {
                parent.set(key, operation.path("value"));
            }
        }
        return patched;
    }

    private static List<PatchOperation> operations(JsonNode patch) throws IOException {
        List<PatchOperation> operations = new ArrayList<>();
        for (JsonNode operation : patch) {
            JsonPointer path = JsonPointer.parse(operation.path("path").asText());
            operations.add(
                    switch (operation.path("op").asText()) {
                        case "add" -> new PatchOperation.Add(path, value(operation.path("value")));
                        case "replace" -> new PatchOperation.Replace(path, value(operation.path("value")));
                        case "remove" -> new PatchOperation.Remove(path);
                        default ->
                            throw new IOException("the gateway gave an operation that it never gives: " + operation);
                    });
        }
        return operations;
    }

    private static PatchOperation.Value value(JsonNode value) {
        if (!value.isObject()) {
            return new PatchOperation.Text(value.asText());
        }
        Map<String, PatchOperation.Value> members = new LinkedHashMap<>();
        value.properties().forEach(member -> members.put(member.getKey(), value(member.getValue())));
        return new PatchOperation.Members(members);
    }
}
