package dev.sluice.ledger;

import java.util.List;
import java.util.Optional;

/**
 * The result of a reservation for a decision.
 *
 * @param notReserved the reason why nothing was reserved; empty if there is a reservation, even if no node has enough
 *     capacity for it yet
 * @param preempted the stamps (identifiers) of the decisions that were preempted to make room for this one
 */
public record LedgerAssumeResult(Optional<LedgerNotReservedReason> notReserved, List<String> preempted) {
    public LedgerAssumeResult {
        preempted = List.copyOf(preempted);
    }
}
