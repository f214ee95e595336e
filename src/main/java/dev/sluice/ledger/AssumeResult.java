package dev.sluice.ledger;

import dev.sluice.ledger.podentry.NotReserved;
import java.util.List;
import java.util.Optional;

/**
 * What came of a decision.
 *
 * @param notKept why nothing is reserved for it; empty where something is, if only a place in the queue
 * @param gaveWay the stamps of decisions that left their room to it
 */
public record AssumeResult(Optional<NotReserved> notReserved, List<String> preempted) {
    public AssumeResult {
        preempted = List.copyOf(preempted);
    }
}
