package dev.sluice.ledger;

import dev.sluice.ledger.podentry.NotKept;
import java.util.List;
import java.util.Optional;

/**
 * What came of a decision.
 *
 * @param notKept why nothing is reserved for it; empty where something is, if only a place in the queue
 * @param gaveWay the stamps of decisions that left their room to it
 */
public record AssumeResult(Optional<NotKept> notKept, List<String> gaveWay) {
    public AssumeResult {
        gaveWay = List.copyOf(gaveWay);
    }
}
