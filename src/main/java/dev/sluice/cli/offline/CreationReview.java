package dev.sluice.cli.offline;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.UUID;

/**
 * Builds the AdmissionReview that the API server would send for the creation of a pod. The template is the file
 * {@code review.json} in the class path. Fields of a test case replace fields of the template.
 */
final class CreationReview {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNode TEMPLATE = template("review.json");

    private final JsonNode written;
    private final ObjectNode review;
    private final ObjectNode request;

    /**
     * Creates the review without its pod.
     *
     * @param name the name that determines the uid of the review, such as the name of the test case
     * @param namespace the namespace of the request
     * @param written the fields of the request that the test case sets itself; a {@code MissingNode} if it sets none
     */
    CreationReview(String name, String namespace, JsonNode written) {
        this.written = written;
        review = TEMPLATE.deepCopy();
        request = (ObjectNode) review.path("request");
        request.put("uid", UUID.nameUUIDFromBytes(name.getBytes(UTF_8)).toString());
        request.put("namespace", namespace);
    }

    private static JsonNode template(String resource) {
        try (InputStream json = Objects.requireNonNull(CreationReview.class.getResourceAsStream(resource))) {
            return JSON.readTree(json);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /**
     * Returns the review.
     *
     * @param pod the pod as its author wrote it; a {@code MissingNode} if the test case sets the object of the request
     *     itself
     */
    ObjectNode of(JsonNode pod) {
        if (pod.isObject()) {
            request.set("object", new DefaultedPod(objectTemplate()).of(pod));
        }
        written.properties().forEach(field -> request.set(field.getKey(), field.getValue()));
        repeat("kind", "requestKind");
        repeat("resource", "requestResource");
        repeat("subResource", "requestSubResource");
        name();
        operation();
        return review;
    }

    /**
     * Returns the pod of the template. If the test case sets the namespace of the request, the pod has no namespace,
     * because the namespace of the template may be another one.
     */
    private JsonNode objectTemplate() {
        ObjectNode template = (ObjectNode) request.path("object");
        if (written.has("namespace")) {
            ((ObjectNode) template.path("metadata")).remove("namespace");
        }
        return template;
    }

    /**
     * Copies the value of a field to its counterpart in the request. For example, {@code kind} is the kind for which
     * the webhook is registered, and its counterpart {@code requestKind} is the kind that the client sent. Does nothing
     * if the test case does not set the field.
     *
     * @param asSent the name of the counterpart
     */
    private void repeat(String field, String asSent) {
        if (written.has(field)) {
            request.set(asSent, request.path(field));
        }
    }

    /** Writes the name of the pod into the request. If the API server generates the name, the request has none. */
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
