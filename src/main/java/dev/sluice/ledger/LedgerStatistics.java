package dev.sluice.ledger;

/**
 * The ledger in numbers.
 *
 * @param pods bound ones, and those that wait to be bound
 * @param assumed decisions whose pods were not seen yet
 * @param unplaced decisions and pods for which there is no room now
 * @param overcommitted those of them that were promised room, and those that have outgrown the room where they stand
 * @param brokenPromises how often that has happened since the start
 * @param auditDifference of the last audit
 * @param decisions what is kept, and was not kept, of decisions without a pod
 */
public record LedgerStatistics(
        long pods,
        long assumed,
        long unplaced,
        long overcommitted,
        long evictions,
        AuditDifference auditDifference,
        DecisionCounts decisions) {

    /** Before anything was told. */
    public static final LedgerStatistics NONE =
            new LedgerStatistics(0, 0, 0, 0, 0, AuditDifference.NONE, DecisionCounts.NONE);
}
