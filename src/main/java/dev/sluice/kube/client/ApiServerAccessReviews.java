package dev.sluice.kube.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.management.access.AccessQuestions;
import dev.sluice.management.access.Caller;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Authenticates and authorizes the clients of the management port. It creates a TokenReview and a SubjectAccessReview,
 * which the API server answers and does not store.
 */
public final class ApiServerAccessReviews implements AccessQuestions {

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The maximum number of bytes of an answer that are read. An answer repeats the request, and lists the groups of
     * the user.
     */
    private static final int LONGEST_ANSWER = 1 << 20;

    private final ApiServer server;

    public ApiServerAccessReviews(ApiServer server) {
        this.server = server;
    }

    @Override
    public Optional<Caller> authenticate(String token, Duration timeout) throws IOException {
        ObjectNode review = review("authentication.k8s.io/v1", "TokenReview");
        review.putObject("spec").put("token", token);
        JsonNode status = status("apis/authentication.k8s.io/v1/tokenreviews", review, timeout);
        return status.path("authenticated").asBoolean() ? Optional.of(caller(status.path("user"))) : Optional.empty();
    }

    @Override
    public boolean mayGet(Caller caller, String path, Duration timeout) throws IOException {
        ObjectNode review = review("authorization.k8s.io/v1", "SubjectAccessReview");
        ObjectNode spec = review.putObject("spec");
        spec.put("user", caller.name()).put("uid", caller.uid());
        spec.set("groups", JSON.valueToTree(caller.groups()));
        spec.set("extra", JSON.valueToTree(caller.extra()));
        spec.putObject("nonResourceAttributes").put("path", path).put("verb", "get");
        JsonNode status = status("apis/authorization.k8s.io/v1/subjectaccessreviews", review, timeout);
        return status.path("allowed").asBoolean() && !status.path("denied").asBoolean();
    }

    private static ObjectNode review(String version, String kind) {
        return JSON.createObjectNode().put("apiVersion", version).put("kind", kind);
    }

    private JsonNode status(String path, ObjectNode review, Duration timeout) throws IOException {
        long begin = System.nanoTime();
        try (BodyStream body = server.post(path, JSON.writeValueAsString(review), timeout)) {
            byte[] answer = new byte[LONGEST_ANSWER];
            int length = 0;
            for (int read = 0; read >= 0; read = body.read(answer, length, answer.length - length)) {
                length += read;
                if (length == answer.length) {
                    throw new IOException("the answer to a review has more than " + LONGEST_ANSWER + " bytes");
                }
                if (System.nanoTime() - begin > timeout.toNanos()) {
                    throw new IOException("the answer to a review took more than " + timeout.toSeconds() + " s");
                }
            }
            return JSON.readTree(new String(answer, 0, length, UTF_8)).path("status");
        } catch (ApiFailure failure) {
            throw failure.lacksRight()
                    ? new IOException(failure.summary() + "; apply k8s/components/secure-management", failure)
                    : failure;
        }
    }

    private static Caller caller(JsonNode user) {
        Map<String, List<String>> extra = new HashMap<>();
        user.path("extra").properties().forEach(entry -> extra.put(entry.getKey(), texts(entry.getValue())));
        return new Caller(user.path("username").asText(), user.path("uid").asText(), texts(user.path("groups")), extra);
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(one -> texts.add(one.asText()));
        return texts;
    }
}
