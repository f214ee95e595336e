package dev.sluice.ledger.reservation;

import dev.sluice.ledger.nodeindex.Reservation;
import java.util.HashSet;
import java.util.Set;

/** How often a pod that was promised room was left without. */
final class Evictions {

    private long count;
    private boolean listing;
    /** Displaced by a list that has not ended: what it does not mention will yet make room. */
    private final Set<Reservation> inDoubt = new HashSet<>();

    long count() {
        return count;
    }

    void listBegins() {
        listing = true;
    }

    /** Those count who are still without. */
    void listEnds(Unplaced promised) {
        listing = false;
        count += inDoubt.stream().filter(promised::has).count();
        inDoubt.clear();
    }

    void displaced(Reservation reservation) {
        if (listing) {
            inDoubt.add(reservation);
        } else {
            count++;
        }
    }

    /** It takes more than there is where it stands. */
    void outgrown() {
        count++;
    }
}
