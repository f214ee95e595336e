package dev.sluice.ledger.reservation;

import dev.sluice.ledger.nodeindex.NodeIndex;
import dev.sluice.ledger.nodeindex.NodeUsage;
import dev.sluice.ledger.nodeindex.PodDemand;
import dev.sluice.ledger.nodeindex.Reservation;
import dev.sluice.ledger.nodeindex.Reservation.Promise;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything reserved, each placed where it fits or waiting for room. Whoever was promised room comes first when some
 * turns up, then those who have waited longest.
 */
public final class Reservations {

    /** Of so many different asks others are moved when some room turns up; more would make every event dear. */
    private static final int MOST_REARRANGED = 32;

    private final NodeIndex stock;
    private final Unplaced promised;
    private final Unplaced waiting;
    /** Those who stand where they should not stay: grown beyond their node, or nominated to a node not known yet. */
    private final Set<Reservation> astray = new LinkedHashSet<>();

    private final Evictions broken = new Evictions();
    /** To be settled in their turn, never within each other: one may unsettle another as often as there are pods. */
    private final SequencedSet<NodeUsage> unsettled = new LinkedHashSet<>();

    private boolean settling;

    public Reservations(NodeIndex stock) {
        this.stock = stock;
        this.promised = new Unplaced(stock);
        this.waiting = new Unplaced(stock);
    }

    /** How often a pod that was promised room was left without, because the cluster gave it to others. */
    public long broken() {
        return broken.count();
    }

    public Stream<Reservation> unplaced() {
        return Stream.of(promised, waiting).flatMap(Unplaced::all);
    }

    public void listBegins() {
        broken.listBegins();
    }

    public void listEnds() {
        broken.listEnds(promised);
    }

    /** What {@code departures} takes away goes at once, so that thousands of them settle each node only once. */
    public void together(Runnable departures) {
        settling = true;
        try {
            departures.run();
        } finally {
            settling = false;
        }
        settleAll();
    }

    /** A reservation that is not known yet. */
    public void add(Reservation reservation) {
        if (!finds(reservation)) {
            queueOf(reservation).add(reservation);
        }
    }

    /** Where one that asks the same was tried in vain, this one would be, too. */
    private boolean finds(Reservation reservation) {
        return place(reservation)
                || (reservation.promise() == Promise.ROOM
                        && !promised.hasAlike(reservation)
                        && findsRoomAmongOthers(reservation, new Rearrangement(stock)));
    }

    public void remove(Reservation reservation) {
        NodeUsage left = lift(reservation);
        if (left != null) {
            settle(left);
        }
    }

    /** Off its node or out of its queue; the node, if there was one, is still to be settled. */
    @Nullable
    public NodeUsage lift(Reservation reservation) {
        NodeUsage place = reservation.place();
        astray.remove(reservation);
        if (place == null) {
            queueOf(reservation).remove(reservation);
        } else {
            reservation.leaves();
        }
        return place;
    }

    /** The pod of a decision that gave way exists after all. */
    public void isOwedAgain(Reservation reservation) {
        waiting.remove(reservation);
        reservation.isOwedAgain();
        if (reservation.place() == null) {
            displaced(reservation);
        }
    }

    /** The pod asks something else than before; it stays on its node where it still fits there. */
    public void change(Reservation reservation, PodDemand ask) {
        if (reservation.ask().equals(ask)) {
            return;
        }
        NodeUsage before = lift(reservation);
        reservation.asks(ask);
        if (before != null && ask.nominated() == null && before.fits(ask.need(), ask.constraints())) {
            reservation.standsWithin(before);
        } else if (before == null) {
            add(reservation);
        } else {
            displaced(reservation);
        }
        if (before != null) {
            settle(before);
        }
    }

    /** As {@link #change}, for a pod whose decision is out already: it takes what it has now, room or not. */
    public void grow(Reservation reservation, PodDemand ask) {
        NodeUsage before = reservation.place();
        if (before == null || reservation.promise() == Promise.NOTHING) {
            change(reservation, ask);
            return;
        }
        if (reservation.ask().equals(ask)) {
            return;
        }
        var _ = lift(reservation);
        reservation.asks(ask);
        if (before.fits(ask.need(), ask.constraints())) {
            reservation.standsWithin(before);
        } else if (!place(reservation)) {
            reservation.standsAnyway(before);
            astray.add(reservation);
        }
        settle(before);
        if (astray.contains(reservation)) {
            broken.outgrown();
        }
    }

    /** How many stand where they have outgrown the room. */
    public long grown() {
        return astray.stream()
                .filter(reservation -> reservation.ask().nominated() == null)
                .count();
    }

    private boolean place(Reservation reservation) {
        PodDemand ask = reservation.ask();
        if (ask.nominated() != null) {
            NodeUsage nominated = stock.known(ask.nominated());
            if (nominated != null) {
                reservation.standsAnyway(nominated);
                settle(nominated);
                return true;
            }
            astray.add(reservation);
        }
        return stock.find(ask.need(), ask.constraints())
                .map(account -> {
                    reservation.standsWithin(account);
                    return true;
                })
                .orElse(false);
    }

    private void displaced(Reservation reservation) {
        if (finds(reservation)) {
            return;
        }
        if (reservation.promise() == Promise.ROOM) {
            broken.displaced(reservation);
        }
        queueOf(reservation).add(reservation);
    }

    private Unplaced queueOf(Reservation reservation) {
        return switch (reservation.promise()) {
            case ROOM -> promised;
            case NOTHING -> waiting;
        };
    }

    /** After a node has changed: as {@link #settle}, and whom it does not admit any more goes elsewhere. */
    public void revise(NodeUsage account) {
        for (Reservation reservation : List.copyOf(account.reservations()).reversed()) {
            if (reservation.place() == account
                    && !reservation.isNominated()
                    && !account.admits(reservation.constraints())) {
                var _ = lift(reservation);
                displaced(reservation);
            }
        }
        settle(account);
    }

    /** After an account has changed: whoever has no room there any more goes elsewhere, whoever finds some comes. */
    public void settle(NodeUsage account) {
        unsettled.add(account);
        if (!settling) {
            settleAll();
        }
    }

    /** Who was promised room comes first everywhere, then who waits. */
    private void settleAll() {
        settling = true;
        try {
            Set<NodeUsage> settled = new LinkedHashSet<>();
            do {
                while (!unsettled.isEmpty()) {
                    NodeUsage account = unsettled.removeFirst();
                    settled.add(account);
                    clear(account);
                    List.copyOf(astray).forEach(reservation -> findsItsWay(reservation, account));
                    promised.fill(account);
                }
                rearrange();
            } while (!unsettled.isEmpty());
            settled.forEach(account -> {
                waiting.fill(account);
                stock.forgetIfBlank(account);
            });
        } finally {
            settling = false;
        }
    }

    /** Who has no room here goes, the newest first. What they leave never makes others short, so one look is enough. */
    private void clear(NodeUsage account) {
        for (Reservation reservation : List.copyOf(account.reservations()).reversed()) {
            if (!account.isOver()) {
                return;
            }
            boolean stays = reservation.isPinned() && account.node() != null;
            if (reservation.place() == account && !stays && account.overdraws(reservation.need())) {
                var _ = lift(reservation);
                displaced(reservation);
            }
        }
    }

    /** One that is astray may come to {@code account}, or be right where it is by now. */
    private void findsItsWay(Reservation reservation, NodeUsage account) {
        if (!astray.contains(reservation)) {
            return;
        }
        PodDemand ask = reservation.ask();
        boolean nominated = ask.nominated() != null;
        boolean comes = nominated
                ? account.node() != null && account.name().equals(ask.nominated())
                : account.fits(ask.need(), ask.constraints());
        if (comes) {
            NodeUsage left = lift(reservation);
            add(reservation);
            if (left != null) {
                settle(left);
            }
        } else if (!nominated && reservation.fitsWhereItStands()) {
            reservation.staysWithin();
            astray.remove(reservation);
        }
    }

    /** Who was promised room and finds none may find some when others move into what has become free. */
    private void rearrange() {
        if (promised.isEmpty()) {
            return;
        }
        Rearrangement rearrangement = new Rearrangement(stock);
        for (Reservation oldest : promised.oldest(MOST_REARRANGED)) {
            if (promised.has(oldest)) {
                var _ = findsRoomAmongOthers(oldest, rearrangement);
            }
        }
    }

    /** Where others have moved, more may find room than the one for whom they did. */
    private boolean findsRoomAmongOthers(Reservation reservation, Rearrangement rearrangement) {
        boolean found = rearrangement.makesRoomFor(reservation);
        if (found) {
            promised.remove(reservation);
            rearrangement.evicted().forEach(this::displaced);
            rearrangement.changed().forEach(this::settle);
        }
        return found;
    }
}
