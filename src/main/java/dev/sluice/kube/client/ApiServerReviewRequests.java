package dev.sluice.kube.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;

/**
 * Sends reviews, such as a SubjectAccessReview, to the API server. The API server answers a review and does not store
 * it.
 */
record ApiServerReviewRequests(ApiServer server) {

    static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The maximum size of an answer in bytes. An answer contains the request and the groups of the user, so it is
     * usually much smaller.
     */
    private static final int LONGEST_ANSWER = 1 << 20;

    private static final int FIRST_BYTES = 16 * 1024;

    static ObjectNode review(String version, String kind) {
        return JSON.createObjectNode().put("apiVersion", version).put("kind", kind);
    }

    /**
     * Creates the review at this path and returns the field {@code status} of the answer. Blocks.
     *
     * @param timeout the maximum time until the whole answer is read
     */
    JsonNode status(String path, ObjectNode review, Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        try (ApiServerBodyStream body = server.post(path, JSON.writeValueAsString(review), timeout)) {
            body.endBy(deadline);
            byte[] answer = new byte[FIRST_BYTES];
            int length = 0;
            for (int read = 0; read >= 0; read = body.read(answer, length, answer.length - length)) {
                length += read;
                if (length == LONGEST_ANSWER) {
                    throw new IOException("the answer to a review has more than " + LONGEST_ANSWER + " bytes");
                }
                if (length == answer.length) {
                    answer = Arrays.copyOf(answer, 2 * length);
                }
            }
            return JSON.readTree(new String(answer, 0, length, UTF_8)).path("status");
        }
    }

    /** Returns true if the API server answered that the request is allowed. */
    static boolean isAllowed(JsonNode status) {
        return status.path("allowed").asBoolean() && !status.path("denied").asBoolean();
    }
}
