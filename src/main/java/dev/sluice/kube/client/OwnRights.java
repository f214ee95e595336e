package dev.sluice.kube.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks the API server whether the account of this process has the rights that its configuration needs. It creates
 * SelfSubjectAccessReviews, which Kubernetes allows every account (ClusterRole system:basic-user).
 */
public final class OwnRights {

    private static final String PATH = "apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

    /** The time limit for all questions together. Each of them takes a few milliseconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ApiServerReviewRequests reviews;
    private final List<OwnRequiredRight> needed;

    /**
     * The answer about one right.
     *
     * @param allowed null if the API server did not answer
     * @param problem the reason why the API server did not answer; empty if it did
     */
    public record RightAnswer(
            OwnRequiredRight right, @Nullable Boolean allowed, String problem) {

        public boolean isMissing() {
            return Objects.equals(allowed, false);
        }
    }

    public OwnRights(ApiServer server, List<OwnRequiredRight> needed) {
        this.reviews = new ApiServerReviewRequests(server);
        this.needed = List.copyOf(needed);
    }

    /**
     * Returns an answer for each needed right, in the order of the list. Blocks. If a request fails, the remaining
     * rights are not checked, and their answers contain the same problem.
     */
    public List<RightAnswer> ask() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        List<RightAnswer> answers = new ArrayList<>();
        String problem = "";
        for (OwnRequiredRight right : needed) {
            Boolean allowed = null;
            if (problem.isEmpty()) {
                try {
                    allowed = isAllowed(right, Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime())));
                } catch (IOException | RuntimeException failed) {
                    problem = String.valueOf(failed.getMessage());
                }
            }
            answers.add(new RightAnswer(right, allowed, problem));
        }
        return answers;
    }

    private boolean isAllowed(OwnRequiredRight right, Duration timeout) throws IOException {
        ObjectNode review = ApiServerReviewRequests.review("authorization.k8s.io/v1", "SelfSubjectAccessReview");
        ObjectNode attributes = review.putObject("spec").putObject("resourceAttributes");
        attributes.put("verb", right.verb()).put("group", right.group()).put("resource", right.resource());
        if (right.namespace() != null) {
            attributes.put("namespace", right.namespace());
        }
        if (right.name() != null) {
            attributes.put("name", right.name());
        }
        JsonNode status = reviews.status(PATH, review, timeout);
        return ApiServerReviewRequests.isAllowed(status);
    }
}
