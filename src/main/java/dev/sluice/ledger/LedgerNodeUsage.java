package dev.sluice.ledger;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;

/**
 * The amounts of the resources in use on one node.
 *
 * @param allocated the requests of the bound pods that have not ended; for DRA devices, the devices that ResourceClaims
 *     have allocated
 * @param reserved the requests of pods and decisions whose reservations are placed on the node
 * @param requested the requests of the bound pods that have not ended, also for DRA devices
 */
public record LedgerNodeUsage(Amounts allocated, Amounts reserved, Amounts requested) {

    public static final LedgerNodeUsage NONE = new LedgerNodeUsage(Amounts.NONE, Amounts.NONE);

    /** Creates the usage of a node on which DRA provides no devices. */
    public LedgerNodeUsage(Amounts allocated, Amounts reserved) {
        this(allocated, reserved, allocated);
    }

    /** Returns true if a pod that is bound to the node, or has a reservation there, requests this resource. */
    public boolean isRequested(ResourceName name) {
        return requested.get(name) > 0 || reserved.get(name) > 0;
    }
}
