package dev.sluice.cli.offline;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.request.PodRequestAnnotations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The answer of a gateway to a review, in the form of the expected answers of test cases: without the uid, with the
 * patch decoded, and with {@code <stamp>} in place of the id of the decision.
 *
 * @param response the response of the AdmissionReview
 * @param pod the pod of the review after the patch; a missing node if the review has no pod
 */
record ActualDecision(JsonNode response, JsonNode pod) {

    /** The word that cases use in place of a decision if the pod asks for no GPU. */
    static final String PASSED = "passed";

    private static final Pattern STAMP = Pattern.compile(
            "(gpu-webhook\\.k8s\\.io(?:/decision\":|~1decision\",\"value\":)\")[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(\")");
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Reads the answer.
     *
     * @param review the review as it was sent
     * @param answer the review as it was answered
     */
    static ActualDecision of(byte[] review, byte[] answer) {
        try {
            ObjectNode response = JSON.readTree(answer).path("response").deepCopy();
            response.remove(List.of("uid", "patchType"));
            JsonNode pod = JSON.readTree(review).path("request").path("object").deepCopy();
            if (response.path("patch").isTextual()) {
                String patch = new String(response.path("patch").binaryValue(), UTF_8);
                JsonNode operations = JSON.readTree(STAMP.matcher(patch).replaceFirst("$1<stamp>$2"));
                response.set("patch", operations);
                operations.forEach(operation -> apply(operation, pod));
            }
            return new ActualDecision(response, pod);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Applies one operation of a patch. The patches of Sluice only add, replace and remove members of objects. */
    private static void apply(JsonNode operation, JsonNode pod) {
        JsonPointer path = JsonPointer.compile(operation.path("path").asText());
        if (pod.at(path.head()) instanceof ObjectNode holder) {
            String key = path.last().getMatchingProperty();
            if (operation.path("op").asText().equals("remove")) {
                holder.remove(key);
            } else {
                holder.set(key, operation.path("value").deepCopy());
            }
        }
    }

    String decision() {
        return response.path("auditAnnotations").path("decision").asText(PASSED);
    }

    String reason() {
        return response.path("auditAnnotations").path("reason").asText();
    }

    /** Returns the message of a denial; empty if the pod is admitted. */
    String message() {
        return response.path("status").path("message").asText();
    }

    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        response.path("warnings").forEach(warning -> warnings.add(warning.asText()));
        return warnings;
    }

    JsonNode patch() {
        return response.path("patch") instanceof ArrayNode patch ? patch : JSON.createArrayNode();
    }

    /** Returns the annotation that lists the exchanged resources; empty if the pod has none after the patch. */
    String fallback() {
        return pod.path("metadata")
                .path("annotations")
                .path(PodRequestAnnotations.FALLBACK)
                .asText();
    }

    /** Returns the sentences that the user would see. */
    List<String> sentences() {
        List<String> sentences = new ArrayList<>(warnings());
        if (!message().isEmpty()) {
            sentences.add("Forbidden: " + message());
        }
        return sentences;
    }
}
