package dev.sluice.bus;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * The recent decisions of replicas, as documents of the API.
 *
 * @param documents the body of {@code /api/v1/decisions} of each replica that answered
 * @param missing the replicas that did not answer in time
 */
public record PeerDecisions(List<Buffer> documents, List<String> missing) {

    /**
     * Asks for recent decisions.
     *
     * @param query the query string of the request, without the question mark
     */
    public record DecisionsQuestion(String query) {}

    public PeerDecisions {
        documents = List.copyOf(documents);
        missing = List.copyOf(missing);
    }
}
