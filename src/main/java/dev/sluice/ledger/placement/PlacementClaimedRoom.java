package dev.sluice.ledger.placement;

import dev.sluice.cluster.dra.DraState;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;

/** Holds the state of DRA, and the nodes on which DRA provides devices. */
final class PlacementClaimedRoom {

    private final Set<PlacementNodeUsage> nodes = new TreeSet<>(Comparator.comparing(PlacementNodeUsage::name));
    private DraState state = DraState.NONE;

    DraState state() {
        return state;
    }

    void replace(DraState newest) {
        state = newest;
    }

    /** Returns the nodes on which DRA provides devices, sorted by name. */
    Set<PlacementNodeUsage> nodes() {
        return nodes;
    }
}
