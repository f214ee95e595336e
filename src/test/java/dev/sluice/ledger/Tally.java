package dev.sluice.ledger;

/** What has happened in random histories; without it nobody knew whether anything had. */
final class Tally {

    long operations;
    /** Pods that were told there is room. */
    long admitted;
    /** Those of them that were told so while another was without the room it had been promised. */
    long critical;
    /** Those for whom another arrangement of all would have held room at that moment; none was found. */
    long missed;
    /** Those of them whose last such arrangement the newcomer made impossible. */
    long taken;

    void add(Tally other) {
        operations += other.operations;
        admitted += other.admitted;
        critical += other.critical;
        missed += other.missed;
        taken += other.taken;
    }

    @Override
    public String toString() {
        return "%,d operations, %,d admissions, %,d of them while a promise was broken; %d rearrangements missed, %d of them taken"
                .formatted(operations, admitted, critical, missed, taken);
    }
}
