package dev.sluice.explain;

import dev.sluice.decide.FreeCapacity;
import dev.sluice.quantity.Amounts;
import java.util.List;

/** What is free on each node, and who has the rest: how availability mode is explained. */
public interface Occupancy extends FreeCapacity {

    /** Allocatable − Allocated − Reserved; below 0 where the cluster itself has given more than there is. */
    Amounts available(String node);

    /** The pods that hold something of this node, and those that wait and are expected there; in no order. */
    List<Occupant> occupants(String node);

    /**
     * A pod on a node.
     *
     * @param pod {@code namespace/name}
     */
    record Occupant(String pod, HolderState state, Amounts requests) {}

    /** Whether the scheduler has decided, too. */
    enum HolderState {
        BOUND,
        /** Reserved: the scheduler may still put it elsewhere. */
        EXPECTED
    }
}
