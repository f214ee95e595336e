package dev.sluice.ledger;

import dev.sluice.quantity.Amounts;

/**
 * What is taken of one node at one moment.
 *
 * @param allocated the requests of the pods bound there and not ended
 * @param reserved what stands there tentatively
 */
public record Usage(Amounts allocated, Amounts reserved) {

    public static final Usage NONE = new Usage(Amounts.NONE, Amounts.NONE);
}
