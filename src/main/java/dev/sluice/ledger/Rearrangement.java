package dev.sluice.ledger;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Room for one reservation by moving others, each to a node that is as good for it: an augmenting path, as in a
 * bipartite matching, in which every one that could make way is tried once.
 */
final class Rearrangement {

    /** So many nodes are looked at; a search over all of a large cluster would hold the event loop too long. */
    private static final int MOST_LOOKS = 4096;

    private final Stock stock;
    private final Set<Reservation> tried = new HashSet<>();
    /** Those on which others stand than before. */
    private final Set<Account> changed = new LinkedHashSet<>();

    private int looks;

    Rearrangement(Stock stock) {
        this.stock = stock;
    }

    Set<Account> changed() {
        return changed;
    }

    /** It stands on a node afterwards, or nothing has changed. */
    boolean makesRoomFor(Reservation reservation) {
        for (Account account : List.copyOf(stock.reserving())) {
            if (++looks > MOST_LOOKS) {
                return false;
            }
            if (account.admits(reservation.constraints()) && makesRoomOn(account, reservation)) {
                return true;
            }
        }
        return false;
    }

    private boolean makesRoomOn(Account account, Reservation reservation) {
        for (Reservation other : List.copyOf(account.reservations()).reversed()) {
            if (!other.isPinned() && account.coversWithout(other, reservation.need()) && tried.add(other)) {
                other.leaves();
                reservation.standsWithin(account);
                if (goesElsewhere(other)) {
                    changed.add(account);
                    return true;
                }
                reservation.leaves();
                other.standsWithin(account);
            }
        }
        return false;
    }

    private boolean goesElsewhere(Reservation other) {
        Optional<Account> free = stock.find(other.need(), other.constraints());
        free.ifPresent(other::standsWithin);
        return free.isPresent() || makesRoomFor(other);
    }
}
