package dev.sluice.ledger;

import java.util.List;
import java.util.Optional;

/**
 * The result of a decision.
 *
 * @param notReserved why nothing is reserved for it; empty if something is, or if its pod is pending
 * @param preempted the stamps of the decisions that were preempted for it
 */
public record AssumeResult(Optional<NotReserved> notReserved, List<String> preempted) {
    public AssumeResult {
        preempted = List.copyOf(preempted);
    }
}
