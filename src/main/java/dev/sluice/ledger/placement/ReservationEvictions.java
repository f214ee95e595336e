package dev.sluice.ledger.placement;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts how many times a reservation with a promise of capacity became pending. */
final class ReservationEvictions {

    private long count;
    /**
     * The reservations that have lost their node while the current list is read; null while no list is read. They are
     * counted after the list, and only if they are still pending. By then, pods that no longer exist have been removed,
     * so some reservations may have a node again. While no list is read, each eviction is counted at once.
     */
    private @Nullable Set<PlacementReservation> duringList;

    long count() {
        return count;
    }

    void listStarted() {
        if (duringList == null) {
            duringList = new HashSet<>();
        }
    }

    void listEnded(PendingReservationQueue promised) {
        if (duringList != null) {
            count += duringList.stream().filter(promised::has).count();
        }
        duringList = null;
    }

    void evicted(PlacementReservation reservation) {
        if (duringList == null) {
            count++;
        } else {
            duringList.add(reservation);
        }
    }
}
