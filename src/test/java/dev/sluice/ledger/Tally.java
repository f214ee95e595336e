package dev.sluice.ledger;

/** Counts what has happened in random histories, to show that they test something. */
final class Tally {

    long operations;
    /** Pods that were told there is room. */
    long admitted;
    /** Decisions that were preempted for such pods. */
    long preempted;
    /** Pods that were decided again. */
    long again;
    /** Pods that were told there is room because they may preempt others. */
    long prior;
    /** Pods that were told so while another pod was overcommitted. */
    long critical;
    /** Those for which another placement of all pods had room at that moment, which was not found. */
    long missed;
    /** Those of them for which the new decision made the last such placement impossible. */
    long taken;

    void add(Tally other) {
        operations += other.operations;
        admitted += other.admitted;
        preempted += other.preempted;
        again += other.again;
        prior += other.prior;
        critical += other.critical;
        missed += other.missed;
        taken += other.taken;
    }

    @Override
    public String toString() {
        return "%,d operations, %,d admissions, for %,d of which others gave way and %,d while a promise was broken; %d rearrangements missed, %d of them taken"
                .formatted(operations, admitted, preempted, critical, missed, taken);
    }
}
