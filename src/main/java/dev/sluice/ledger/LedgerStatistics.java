package dev.sluice.ledger;

/**
 * Holds numbers about the ledger, for metrics.
 *
 * @param pods the number of bound pods and of pods that wait to be bound
 * @param assumed the number of decisions whose pods the watch has not shown yet
 * @param unplaced the number of decisions and pods that are placed on no node now
 * @param overcommitted the number of unplaced decisions and pods to which capacity was promised
 * @param evictions the number of times since the start that a reservation with a promise of capacity became pending
 * @param auditDifference the result of the last audit
 * @param decisions further counts of decisions
 */
public record LedgerStatistics(
        long pods,
        long assumed,
        long unplaced,
        long overcommitted,
        long evictions,
        AuditDifference auditDifference,
        DecisionCounts decisions) {

    public static final LedgerStatistics NONE =
            new LedgerStatistics(0, 0, 0, 0, 0, AuditDifference.NONE, DecisionCounts.NONE);

    /**
     * Counts of decisions. All counts but {@code bytes} are totals since the start.
     *
     * @param bytes the estimated memory of the decisions whose pods the watch has not shown yet, in bytes
     * @param preempted the number of decisions that were preempted
     * @param replaced the number of decisions that ended because a newer decision showed that their pods were refused
     * @param late the number of pods that appeared after their promise of capacity had been revoked
     * @param ofNamespace the number of decisions that were not kept because of the memory limit for one namespace
     * @param inAll the number of decisions that were not kept because of the memory limit for all namespaces
     * @param bySize the number of decisions that were not kept because of the memory limit for one decision
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
                case LedgerNotReservedReason.NAMESPACE ->
                    new DecisionCounts(bytes, preempted, replaced, late, ofNamespace + more, inAll, bySize);
                case LedgerNotReservedReason.ALL ->
                    new DecisionCounts(bytes, preempted, replaced, late, ofNamespace, inAll + more, bySize);
                default -> new DecisionCounts(bytes, preempted, replaced, late, ofNamespace, inAll, bySize + more);
            };
        }
    }

    /**
     * The differences between the ledger and a complete list. Each number must be 0; any other number shows an error in
     * the ledger.
     *
     * @param pods the difference between the number of pods in the list and in the ledger
     * @param nodes the number of nodes whose Allocated is not the sum over the listed pods
     * @param places the number of nodes whose Reserved is not the sum over their reservations
     */
    public record AuditDifference(long pods, long nodes, long places) {

        public static final AuditDifference NONE = new AuditDifference(0, 0, 0);

        public long total() {
            return pods + nodes + places;
        }
    }
}
