package dev.sluice.ledger.placement;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts how often a pod that was promised room lost it. */
final class Evictions {

    private long count;
    /**
     * Null outside a list, where an eviction counts at once. During a list it counts if the pod is still pending at the
     * end, when what the list does not mention is removed.
     */
    private @Nullable Set<Reservation> duringList;

    long count() {
        return count;
    }

    void listStarted() {
        if (duringList == null) {
            duringList = new HashSet<>();
        }
    }

    void listEnded(PendingQueue promised) {
        if (duringList != null) {
            count += duringList.stream().filter(promised::has).count();
        }
        duringList = null;
    }

    void evicted(Reservation reservation) {
        if (duringList == null) {
            count++;
        } else {
            duringList.add(reservation);
        }
    }

    /** A pod was resized beyond the capacity of its node. */
    void overcommitted() {
        count++;
    }
}
