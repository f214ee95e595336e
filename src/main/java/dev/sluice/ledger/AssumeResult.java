package dev.sluice.ledger;

import java.util.List;
import java.util.Optional;

/**
 * The result of a reservation for a decision.
 *
 * @param notReserved the reason why nothing is reserved for the decision; empty if something is reserved, or if the pod
 *     waits in the queue
 * @param preempted the stamps of the decisions that were preempted to make room for this one
 */
public record AssumeResult(Optional<NotReservedReason> notReserved, List<String> preempted) {
    public AssumeResult {
        preempted = List.copyOf(preempted);
    }
}
