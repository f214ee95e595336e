package dev.sluice.ledger;

/**
 * The ledger in numbers.
 *
 * @param pods bound pods, and those that wait to be bound
 * @param assumed decisions whose pods were not seen yet
 * @param unplaced decisions and pods for which no node has room now
 * @param overcommitted those of them that were promised room, and pods that were resized beyond their nodes
 * @param evictions how often pods became overcommitted since the start
 * @param auditDifference the result of the last audit
 * @param decisions counts of decisions whose pods were not seen
 */
public record LedgerStatistics(
        long pods,
        long assumed,
        long unplaced,
        long overcommitted,
        long evictions,
        AuditDifference auditDifference,
        DecisionCounts decisions) {

    /** The statistics of an empty ledger. */
    public static final LedgerStatistics NONE =
            new LedgerStatistics(0, 0, 0, 0, 0, AuditDifference.NONE, DecisionCounts.NONE);
}
