package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.status.Registration;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The explanations of all pods in the user's files, as text, as a JSON document, or as patches. */
interface ExplainAnswers {

    /**
     * The patch that the gateway sends for a pod.
     *
     * @param operations the patch; it has no operations if nothing changes
     * @param remark the reason why no patch is sent although a decision was made: the pod is denied, or the policy only
     *     observes; empty for other pods
     */
    record SentPatch(JsonNode operations, Optional<String> remark) {}

    /** Returns the namespace of each pod. */
    List<String> namespaces();

    /** Prints the explanations for a person. */
    void print(Terminal terminal, Registration registered) throws IOException;

    /** Returns the explanations as the document that {@code -o json} prints. */
    Object document(Registration registered) throws IOException;

    /** Returns the patch of each pod. */
    List<SentPatch> patches() throws IOException;

    /** Returns true if at least one pod would not be created. */
    boolean isAnyDenied();
}
