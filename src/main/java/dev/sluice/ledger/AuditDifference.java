package dev.sluice.ledger;

/**
 * The ledger held against a complete list: each number counts what differs, and must be 0.
 *
 * @param pods held but not listed, or listed but not held
 * @param nodes whose Allocated is not the sum over the listed pods
 * @param places whose Reserved is not the sum over what stands there
 */
public record AuditDifference(long pods, long nodes, long places) {

    public static final AuditDifference NONE = new AuditDifference(0, 0, 0);

    public long total() {
        return pods + nodes + places;
    }
}
