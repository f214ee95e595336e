package dev.sluice.ledger;

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
