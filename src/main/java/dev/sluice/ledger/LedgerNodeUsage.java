package dev.sluice.ledger;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;

/**
 * The amounts of the resources in use on one node.
 *
 * @param allocated the requests of the pods that are bound to the node and have not ended
 * @param reserved the requests of the pods and decisions that are placed on the node tentatively
 * @param requested the requests of the bound pods; for DRA devices, {@code allocated} contains the devices of
 *     ResourceClaims instead of these requests
 */
public record LedgerNodeUsage(Amounts allocated, Amounts reserved, Amounts requested) {

    public static final LedgerNodeUsage NONE = new LedgerNodeUsage(Amounts.NONE, Amounts.NONE);

    /** Creates the usage of a node on which DRA provides no devices. */
    public LedgerNodeUsage(Amounts allocated, Amounts reserved) {
        this(allocated, reserved, allocated);
    }

    /** Returns true if a pod on the node, or one that is expected there, asks for the resource by this name. */
    public boolean isRequested(ResourceName name) {
        return requested.get(name) > 0 || reserved.get(name) > 0;
    }
}
