package dev.sluice.ledger;

import dev.sluice.cluster.quantity.Amounts;

/**
 * The amounts of the resources in use on one node.
 *
 * @param allocated the requests of the pods that are bound to the node and have not ended
 * @param reserved the requests of the pods and decisions that are placed on the node tentatively
 */
public record LedgerNodeUsage(Amounts allocated, Amounts reserved) {

    public static final LedgerNodeUsage NONE = new LedgerNodeUsage(Amounts.NONE, Amounts.NONE);
}
