package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.admission.request.Policy.Enforcement;
import dev.sluice.cli.console.UserProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * The status of a replica, as the replica itself reports it.
 *
 * @param status the answer of {@code /api/v1/status}; empty if there is none
 * @param problem the reason why there is no answer; empty if there is one
 */
record StatusReplicaReport(StatusReplicaAccess replica, Optional<JsonNode> status, String problem) {

    private static final String PATH = "/api/v1/status";

    /** {@code problem} begins with this text if the replica does not know the requested path. */
    static final String OTHER_VERSION = "its version does not answer ";

    /** Requests the status of all replicas in parallel. */
    static List<StatusReplicaReport> ask(List<? extends StatusReplicaAccess> replicas) throws InterruptedException {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<StatusReplicaReport>> asked = replicas.stream()
                    .map(replica -> threads.submit(() -> ask(replica)))
                    .toList();
            List<StatusReplicaReport> reports = new ArrayList<>();
            for (Future<StatusReplicaReport> report : asked) {
                reports.add(report.get());
            }
            return reports;
        } catch (ExecutionException bug) {
            throw new IllegalStateException("a replica could not be asked", bug);
        }
    }

    private static StatusReplicaReport ask(StatusReplicaAccess replica) throws InterruptedException {
        try {
            return new StatusReplicaReport(replica, Optional.of(replica.get(PATH, Map.of())), "");
        } catch (UserProblem problem) {
            return new StatusReplicaReport(
                    replica, Optional.empty(), problem.lines().getFirst());
        }
    }

    /** Returns true if the replica does not know the path of the status, because it has another version. */
    boolean isOfOtherVersion() {
        return problem.startsWith(OTHER_VERSION);
    }

    String name() {
        return replica.name();
    }

    JsonNode told() {
        return status.orElseThrow();
    }

    /** Returns the texts of a list in the status of the replica; none if the status has no such list. */
    Stream<String> texts(String path) {
        return told().at(path).valueStream().map(JsonNode::asText);
    }

    /**
     * Returns the enforcement of the policy at this replica, such as {@code observe}; empty if the replica does not
     * answer.
     */
    String enforcement() {
        // An older version of the gateway does not have this field, and always enforces its policy.
        return status.map(told -> told.at("/policy/enforcement").asText(Enforcement.ENFORCE.word()))
                .orElse("");
    }

    /**
     * Returns true if this replica has recorded a decision about a pod with this name; empty if its records cannot be
     * read.
     */
    Optional<Boolean> hasDecidedAbout(String namespace, String pod) throws InterruptedException {
        if (status.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    replica.get("/api/v1/decisions", Map.of("namespace", namespace, "name", pod, "limit", "1"))
                                    .path("decisions")
                                    .size()
                            > 0);
        } catch (UserProblem noAnswer) {
            return Optional.empty();
        }
    }
}
