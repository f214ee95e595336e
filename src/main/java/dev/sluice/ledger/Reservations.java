package dev.sluice.ledger;

import dev.sluice.ledger.Reservation.Promise;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything reserved, each placed where it fits or waiting for room. Whoever was promised room comes first when some
 * turns up, then those who have waited longest.
 */
final class Reservations {

    private final Stock stock;
    /** By what is asked, so that of a thousand alike only the first is tried; in the order of their coming. */
    private final Map<Ask, Set<Reservation>> promised = new LinkedHashMap<>();

    private final Map<Ask, Set<Reservation>> waiting = new LinkedHashMap<>();
    private long broken;

    Reservations(Stock stock) {
        this.stock = stock;
    }

    /** How often a pod that was promised room was left without, because the cluster gave it to others. */
    long broken() {
        return broken;
    }

    /** Those without a place. */
    Stream<Reservation> unplaced() {
        return Stream.of(promised, waiting)
                .flatMap(queue -> queue.values().stream())
                .flatMap(Set::stream);
    }

    /** A reservation that is not known yet. */
    void add(Reservation reservation) {
        if (!place(reservation)) {
            queue(reservation);
        }
    }

    void remove(Reservation reservation) {
        Account left = lift(reservation);
        if (left != null) {
            settle(left);
        }
    }

    /** Off its node or out of its queue; the node, if there was one, is still to be settled. */
    @Nullable
    Account lift(Reservation reservation) {
        Account place = reservation.place();
        if (place == null) {
            Map<Ask, Set<Reservation>> queue = queueOf(reservation);
            Set<Reservation> alike = queue.getOrDefault(reservation.ask(), Set.of());
            alike.remove(reservation);
            if (alike.isEmpty()) {
                queue.remove(reservation.ask());
            }
        } else {
            reservation.leaves();
        }
        return place;
    }

    /** The pod asks something else than before; it stays on its node where it still fits there. */
    void change(Reservation reservation, Ask ask) {
        if (reservation.ask().equals(ask)) {
            return;
        }
        Account before = lift(reservation);
        reservation.asks(ask);
        if (before != null && ask.nominated() == null && before.fits(ask.need(), ask.constraints())) {
            reservation.standsWithin(before);
        } else {
            displaced(reservation);
        }
        if (before != null) {
            settle(before);
        }
    }

    /** As {@link #change}, for a pod whose decision is out already: it takes what it has now, room or not. */
    void grow(Reservation reservation, Ask ask) {
        if (reservation.ask().equals(ask)) {
            return;
        }
        Account before = lift(reservation);
        reservation.asks(ask);
        if (before == null) {
            add(reservation);
            return;
        }
        if (before.fits(ask.need(), ask.constraints())) {
            reservation.standsWithin(before);
        } else if (!place(reservation)) {
            reservation.standsAnyway(before);
            broken++;
        }
        settle(before);
    }

    private boolean place(Reservation reservation) {
        Ask ask = reservation.ask();
        Account nominated = ask.nominated() == null ? null : stock.known(ask.nominated());
        if (nominated != null) {
            reservation.standsAnyway(nominated);
            settle(nominated);
            return true;
        }
        return stock.find(ask.need(), ask.constraints())
                .map(account -> {
                    reservation.standsWithin(account);
                    return true;
                })
                .orElse(false);
    }

    private void displaced(Reservation reservation) {
        if (!place(reservation)) {
            broken += reservation.promise() == Promise.ROOM ? 1 : 0;
            queue(reservation);
        }
    }

    private void queue(Reservation reservation) {
        var _ = queueOf(reservation)
                .computeIfAbsent(reservation.ask(), _ -> new LinkedHashSet<>())
                .add(reservation);
    }

    private Map<Ask, Set<Reservation>> queueOf(Reservation reservation) {
        return switch (reservation.promise()) {
            case ROOM -> promised;
            case NOTHING -> waiting;
        };
    }

    /** After an account has changed: whoever has no room there any more goes elsewhere, whoever finds some comes. */
    void settle(Account account) {
        while (account.isOver()) {
            Reservation newest = newestInTheWay(account);
            if (newest == null) {
                break;
            }
            newest.leaves();
            displaced(newest);
        }
        fill(account, promised);
        fill(account, waiting);
        stock.forgetIfBlank(account);
    }

    private static @Nullable Reservation newestInTheWay(Account account) {
        List<Reservation> standing = account.reservations();
        for (Reservation reservation : standing.reversed()) {
            boolean stays = reservation.isPinned() && account.node() != null;
            if (!stays && account.overdraws(reservation.need())) {
                return reservation;
            }
        }
        return null;
    }

    private static void fill(Account account, Map<Ask, Set<Reservation>> queue) {
        if (queue.isEmpty() || account.node() == null) {
            return;
        }
        for (Iterator<Map.Entry<Ask, Set<Reservation>>> asks = queue.entrySet().iterator(); asks.hasNext(); ) {
            Map.Entry<Ask, Set<Reservation>> alike = asks.next();
            Ask ask = alike.getKey();
            Iterator<Reservation> next = alike.getValue().iterator();
            while (next.hasNext() && account.fits(ask.need(), ask.constraints())) {
                Reservation reservation = next.next();
                next.remove();
                reservation.standsWithin(account);
            }
            if (alike.getValue().isEmpty()) {
                asks.remove();
            }
        }
    }
}
