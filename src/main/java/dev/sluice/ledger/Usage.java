package dev.sluice.ledger;

import dev.sluice.cluster.quantity.Amounts;

/**
 * What is taken of one node.
 *
 * @param allocated the requests of the pods that are bound there and have not ended
 * @param reserved the requests of the pods and decisions that are placed there tentatively
 */
public record Usage(Amounts allocated, Amounts reserved) {

    public static final Usage NONE = new Usage(Amounts.NONE, Amounts.NONE);
}
