package dev.sluice.bus;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * Documents of Sluice's HTTP API that other replicas have returned.
 *
 * @param documents the document of each replica that answered
 * @param missing the replicas that did not answer in time
 */
public record DocumentsReply(List<Buffer> documents, List<String> missing) {

    /**
     * Requests recent decisions.
     *
     * @param query the query string of the request, without the question mark
     */
    public record DecisionsQuestion(String query) {}

    /** Requests the status document of a replica. */
    public record StatusQuestion() {}

    public DocumentsReply {
        documents = List.copyOf(documents);
        missing = List.copyOf(missing);
    }
}
