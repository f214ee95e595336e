package dev.sluice.ledger;

/** Many random histories, each by its own seed. */
final class ModelCheck {

    static final int OPERATIONS = 2_000;

    private static final int FEW_NODES = 4;
    /** So many that the hostname is a label that identifies nodes. */
    private static final int MANY_NODES = 80;

    private static final int WIDE = 40;

    private ModelCheck() {}

    /** The ledger is inspected now and then; if something is wrong, the history is repeated with more inspections. */
    static Tally lived(long seed) {
        int nodes = seed % WIDE == 0 ? MANY_NODES : FEW_NODES;
        try {
            return new History(seed, nodes, nodes * 2).lived(OPERATIONS);
        } catch (AssertionError found) {
            var _ = new History(seed, nodes, 1).lived(OPERATIONS);
            throw new AssertionError("seed " + seed + " goes wrong only when it is inspected seldom", found);
        }
    }

    static Tally lived(long from, long histories) {
        Tally sum = new Tally();
        for (long seed = from; seed < from + histories; seed++) {
            sum.add(lived(seed));
        }
        return sum;
    }
}
