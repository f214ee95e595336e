package dev.sluice.ledger.reservation;

import dev.sluice.ledger.nodeindex.Reservation;
import java.util.HashSet;
import java.util.Set;

/** Counts how often a pod that was promised room lost it. */
final class Evictions {

    private sealed interface Counting {}

    /** An eviction counts at once. */
    private record OutsideList() implements Counting {}

    /** An eviction counts if the pod is still pending at the end, when what the list does not mention is removed. */
    private record DuringList(Set<Reservation> evicted) implements Counting {}

    private long count;
    private Counting counting = new OutsideList();

    long count() {
        return count;
    }

    void listStarted() {
        if (counting instanceof OutsideList) {
            counting = new DuringList(new HashSet<>());
        }
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

    /** A pod was resized beyond the capacity of its node. */
    void overcommitted() {
        count++;
    }
}
