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

    /**
     * Counts of decisions whose pods were not seen.
     *
     * @param bytes about what they take now
     * @param preempted how many were preempted since the start
     * @param replaced how many ended since the start because a newer one showed that their pods were refused
     * @param late how many pods were seen since the start although their decisions were preempted or replaced
     * @param ofNamespace how many were not kept since the start because of the limit of one namespace
     * @param inAll how many were not kept because of the limit of all namespaces
     * @param bySize how many were not kept because of the limit of one decision
     */
    public record DecisionCounts(
            long bytes, long preempted, long replaced, long late, long ofNamespace, long inAll, long bySize) {

        public static final DecisionCounts NONE = new DecisionCounts(0, 0, 0, 0, 0, 0, 0);

        DecisionCounts with(long bytesNow, long lateNow) {
            return new DecisionCounts(bytesNow, preempted, replaced, lateNow, ofNamespace, inAll, bySize);
        }

        DecisionCounts plusPreempted(long more) {
            return new DecisionCounts(bytes, preempted + more, replaced, late, ofNamespace, inAll, bySize);
        }

        DecisionCounts plusReplaced() {
            return new DecisionCounts(bytes, preempted, replaced + 1, late, ofNamespace, inAll, bySize);
        }

        DecisionCounts plusNotReserved(String cause, long more) {
            return switch (cause) {
                case NotReserved.NAMESPACE ->
                    new DecisionCounts(bytes, preempted, replaced, late, ofNamespace + more, inAll, bySize);
                case NotReserved.ALL ->
                    new DecisionCounts(bytes, preempted, replaced, late, ofNamespace, inAll + more, bySize);
                default -> new DecisionCounts(bytes, preempted, replaced, late, ofNamespace, inAll, bySize + more);
            };
        }
    }

    /**
     * The differences between the ledger and a complete list; each number must be 0.
     *
     * @param pods how many are only in the ledger, or only in the list
     * @param nodes how many have an Allocated that is not the sum over the listed pods
     * @param places how many nodes have a Reserved that is not the sum over their reservations
     */
    public record AuditDifference(long pods, long nodes, long places) {

        public static final AuditDifference NONE = new AuditDifference(0, 0, 0);

        public long total() {
            return pods + nodes + places;
        }
    }
}
