package dev.sluice.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Builds the review that the API server sends for the pod of a case. {@code golden/review.json} is such a review; what
 * the case says replaces what stands there.
 */
final class CreationReview {

    private static final Path TEMPLATE = Path.of("src/test/resources/golden/review.json");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonNode written;
    private final ObjectNode review;
    private final ObjectNode request;

    /**
     * @param name of the case, which decides the uid
     * @param written the fields of the request that the case is about; missing where it is about none
     */
    CreationReview(String name, JsonNode written) throws IOException {
        this.written = written;
        review = (ObjectNode) JSON.readTree(TEMPLATE.toFile());
        request = (ObjectNode) review.path("request");
        request.put("uid", UUID.nameUUIDFromBytes(name.getBytes(UTF_8)).toString());
    }

    /** The namespace that a pod is created in: its own, or else that of the template. */
    static String namespaceOf(JsonNode pod) {
        return pod.path("metadata").path("namespace").asText("team-a");
    }

    /** @param pod as its author wrote it; missing where the request brings an object of its own */
    ObjectNode of(JsonNode pod) {
        request.put("namespace", namespaceOf(pod));
        if (pod.isObject()) {
            request.set("object", new DefaultedPod(template()).of(pod));
        }
        written.properties().forEach(field -> request.set(field.getKey(), field.getValue()));
        repeat("kind", "requestKind");
        repeat("resource", "requestResource");
        repeat("subResource", "requestSubResource");
        name();
        operation();
        return review;
    }

    /** Where the namespace of the request is what a case is about, that of the pod is as the case says, or missing. */
    private JsonNode template() {
        ObjectNode template = (ObjectNode) request.path("object");
        if (written.has("namespace")) {
            ((ObjectNode) template.path("metadata")).remove("namespace");
        }
        return template;
    }

    /** The API server names twice what is created: as the webhook wants it, and as the client sent it. */
    private void repeat(String field, String asSent) {
        if (written.has(field)) {
            request.set(asSent, request.path(field));
        }
    }

    /** An object may still be without a name. */
    private void name() {
        JsonNode name = request.path("object").path("metadata").path("name");
        if (name.isTextual()) {
            request.set("name", name);
        } else if (!written.has("name")) {
            request.remove("name");
        }
    }

    private void operation() {
        ObjectNode options = (ObjectNode) request.path("options");
        if (request.path("dryRun").booleanValue()) {
            options.putArray("dryRun").add("All");
        }
        switch (request.path("operation").asText()) {
            case "UPDATE" -> {
                options.put("kind", "UpdateOptions");
                request.set("oldObject", request.path("object"));
            }
            case "DELETE" -> {
                options.removeAll().put("kind", "DeleteOptions").put("apiVersion", "meta.k8s.io/v1");
                request.set("oldObject", request.path("object"));
                request.putNull("object");
            }
            case "CONNECT" -> request.putNull("options");
            default -> {}
        }
    }
}
