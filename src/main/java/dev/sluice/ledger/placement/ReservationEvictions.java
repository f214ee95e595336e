package dev.sluice.ledger.placement;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts how many times a pod that was promised room lost it. */
final class ReservationEvictions {

    private long count;
    /**
     * The reservations that lost their room during the current list; null if there is no list, so that each eviction
     * counts at once. At the end of a list, pods that are gone are removed, and an eviction counts only if the
     * reservation is still pending after that.
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
