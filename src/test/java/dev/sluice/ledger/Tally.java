package dev.sluice.ledger;

/** What has happened in random histories; without it nobody knew whether anything had. */
final class Tally {

    long operations;
    /** Pods that were told there is room. */
    long admitted;
    /** Decisions that left their room to such pods. */
    long gaveWay;
    /** Pods that were told so while another was without the room it had been promised. */
    long critical;
    /** Those for whom another arrangement of all would have held room at that moment; none was found. */
    long missed;
    /** Those of them whose last such arrangement the newcomer made impossible. */
    long taken;

    void add(Tally other) {
        operations += other.operations;
        admitted += other.admitted;
        gaveWay += other.gaveWay;
        critical += other.critical;
        missed += other.missed;
        taken += other.taken;
    }

    @Override
    public String toString() {
        return "%,d operations, %,d admissions, for %,d of which others gave way and %,d while a promise was broken; %d rearrangements missed, %d of them taken"
                .formatted(operations, admitted, gaveWay, critical, missed, taken);
    }
}
