package dev.sluice.kube.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Authenticates and authorizes the clients of the management port. It sends a TokenReview and a SubjectAccessReview to
 * the API server.
 */
public final class ApiServerAccessRequests implements AccessQuestions {

    private final ApiServerReviewRequests reviews;

    public ApiServerAccessRequests(ApiServer server) {
        this.reviews = new ApiServerReviewRequests(server);
    }

    @Override
    public Optional<Caller> authenticate(String token, Duration timeout) throws IOException {
        ObjectNode review = ApiServerReviewRequests.review("authentication.k8s.io/v1", "TokenReview");
        review.putObject("spec").put("token", token);
        JsonNode status = status("apis/authentication.k8s.io/v1/tokenreviews", review, timeout);
        return status.path("authenticated").asBoolean() ? Optional.of(caller(status.path("user"))) : Optional.empty();
    }

    @Override
    public boolean mayGet(Caller caller, String path, Duration timeout) throws IOException {
        ObjectNode spec = specOf(caller);
        spec.putObject("nonResourceAttributes").put("path", path).put("verb", "get");
        return isAllowed(spec, timeout);
    }

    @Override
    public boolean mayCreatePods(Caller caller, String namespace, Duration timeout) throws IOException {
        ObjectNode spec = specOf(caller);
        spec.putObject("resourceAttributes")
                .put("namespace", namespace)
                .put("verb", "create")
                .put("group", "")
                .put("version", "v1")
                .put("resource", "pods");
        return isAllowed(spec, timeout);
    }

    private static ObjectNode specOf(Caller caller) {
        ObjectNode spec = ApiServerReviewRequests.JSON
                .createObjectNode()
                .put("user", caller.name())
                .put("uid", caller.uid());
        spec.set("groups", ApiServerReviewRequests.JSON.valueToTree(caller.groups()));
        spec.set("extra", ApiServerReviewRequests.JSON.valueToTree(caller.extra()));
        return spec;
    }

    private boolean isAllowed(ObjectNode spec, Duration timeout) throws IOException {
        ObjectNode review = ApiServerReviewRequests.review("authorization.k8s.io/v1", "SubjectAccessReview");
        review.set("spec", spec);
        JsonNode status = status("apis/authorization.k8s.io/v1/subjectaccessreviews", review, timeout);
        return ApiServerReviewRequests.isAllowed(status);
    }

    private JsonNode status(String path, ObjectNode review, Duration timeout) throws IOException {
        try {
            return reviews.status(path, review, timeout);
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
