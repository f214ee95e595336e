package dev.sluice.ledger.reservation;

import dev.sluice.ledger.nodeindex.Reservation;
import java.util.HashSet;
import java.util.Set;

/** How often a pod that was promised room was left without. */
final class Evictions {

    private sealed interface Counting {}

    /** An eviction counts at once. */
    private record OutsideList() implements Counting {}

    /** An eviction counts at the end of the list if it still lasts: what the list does not mention makes room. */
    private record DuringList(Set<Reservation> evicted) implements Counting {}

    private long count;
    private Counting counting = new OutsideList();

    long count() {
        return count;
    }

    void listStarted() {
        counting = switch (counting) {
            case OutsideList _ -> new DuringList(new HashSet<>());
            case DuringList interrupted -> interrupted;
        };
    }

    void listEnded(PendingQueue promised) {
        if (counting instanceof DuringList(Set<Reservation> evicted)) {
            count += evicted.stream().filter(promised::has).count();
        }
        counting = new OutsideList();
    }

    void evicted(Reservation reservation) {
        switch (counting) {
            case OutsideList _ -> count++;
            case DuringList list -> list.evicted().add(reservation);
        }
    }

    /** A pod was resized beyond what its node has. */
    void overcommitted() {
        count++;
    }
}
