package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer of {@code /api/v1/replicas}: what each replica says about itself. The file {@code src/docs/status.md}
 * documents it. New fields may be added, but no field is removed.
 */
public record ReplicasDocument(
        @JsonPropertyDescription("This replica first. A replica of another version may say more or less.")
        List<JsonNode> replicas,

        @JsonPropertyDescription("The replicas that did not answer.")
        List<String> missing) {

    /**
     * Creates the document.
     *
     * @param own the document of this replica
     * @param others the documents of other replicas
     * @param missing the replicas that did not answer
     */
    public static ReplicasDocument of(ReplicaStatusDocument own, List<byte[]> others, List<String> missing) {
        List<JsonNode> replicas = new ArrayList<>();
        List<String> silent = new ArrayList<>(missing);
        replicas.add(ApiJson.tree(own));
        for (byte[] other : others) {
            try {
                JsonNode read = ApiJson.tree(other);
                if (!read.isObject()) {
                    throw new IOException("a status is an object");
                }
                replicas.add(read);
            } catch (IOException unreadable) {
                silent.add(DecisionDocuments.OtherPages.UNREADABLE);
            }
        }
        return new ReplicasDocument(replicas, silent);
    }

    public DocumentResponse answer() {
        return DocumentResponse.of(this);
    }
}
