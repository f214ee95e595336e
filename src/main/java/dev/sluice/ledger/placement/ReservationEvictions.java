package dev.sluice.ledger.placement;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts how many times a reservation with a promise of capacity became pending. */
final class ReservationEvictions {

    private long count;
    /**
     * The reservations that have lost their node while a list is read; null at other times. At the end of the list,
     * only those that are still pending are counted: others may have got a node, because the list has shown that pods
     * no longer exist. At other times, each eviction is counted at once.
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
