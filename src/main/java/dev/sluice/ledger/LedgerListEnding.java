package dev.sluice.ledger;

import dev.sluice.cluster.PodEvent;

/**
 * Does the work at the end of a list of pods: removes the pods that the list did not contain, and compares the ledger
 * with the list. In a large cluster, this takes several steps. Between the steps, decisions may be made, but no event
 * may be applied.
 */
final class LedgerListEnding {

    /**
     * The number of slots of the {@link LedgerPodTable} that one step searches. A step then takes a few milliseconds.
     */
    private static final int SLOTS_IN_A_TURN = 1 << 16;

    private static final int REMOVALS_IN_A_TURN = 1 << 11;
    private static final int NODES_IN_A_TURN = 1 << 13;

    private final PodEvent.ListEnded event;
    private final LedgerPodEntries pods;
    private final LedgerUnlistedPods unlisted;
    private final LedgerAudit.Comparison comparison;

    LedgerListEnding(PodEvent.ListEnded event, LedgerPodEntries pods, LedgerAudit.Comparison comparison) {
        this.event = event;
        this.pods = pods;
        this.unlisted = pods.unlisted();
        this.comparison = comparison;
    }

    PodEvent.ListEnded event() {
        return event;
    }

    /** Does one step of the work. Returns true when all work at the end of the list is done. */
    boolean proceed() {
        return unlisted.search(SLOTS_IN_A_TURN)
                && pods.removeUnlisted(unlisted, REMOVALS_IN_A_TURN)
                && comparison.proceed(NODES_IN_A_TURN);
    }

    LedgerStatistics.AuditDifference difference() {
        return comparison.difference();
    }
}
