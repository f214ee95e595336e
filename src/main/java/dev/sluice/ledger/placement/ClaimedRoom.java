package dev.sluice.ledger.placement;

import dev.sluice.cluster.dra.DraState;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;

/** Holds the state of DRA, and the nodes on which DRA provides devices. */
final class ClaimedRoom {

    private final Set<NodeUsage> nodes = new TreeSet<>(Comparator.comparing(NodeUsage::name));
    private DraState state = DraState.NONE;

    DraState state() {
        return state;
    }

    void replace(DraState newest) {
        state = newest;
    }

    /** Returns the nodes on which DRA provides devices, sorted by name. */
    Set<NodeUsage> nodes() {
        return nodes;
    }
}
