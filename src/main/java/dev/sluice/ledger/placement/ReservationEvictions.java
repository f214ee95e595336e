package dev.sluice.ledger.placement;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts how many times a pod lost the room that it was promised. */
final class ReservationEvictions {

    private long count;
    /**
     * The reservations that lost their room during the current list; null while no list is read, so that each eviction
     * is counted at once. At the end of a list, pods that no longer exist are removed, and an eviction is counted only
     * if the reservation is still pending after that.
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

    void listEnded(PendingReservationQueue promised) {
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
}
