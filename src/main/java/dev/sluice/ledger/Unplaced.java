package dev.sluice.ledger;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Reservations for which there is no room, by what they ask, so that of a thousand alike only the first is tried. */
final class Unplaced {

    /** In the order of their coming. */
    private final Map<Ask, Set<Reservation>> byAsk = new LinkedHashMap<>();

    boolean isEmpty() {
        return byAsk.isEmpty();
    }

    boolean has(Reservation reservation) {
        return byAsk.getOrDefault(reservation.ask(), Set.of()).contains(reservation);
    }

    Stream<Reservation> all() {
        return byAsk.values().stream().flatMap(Set::stream);
    }

    /** The oldest of at most so many asks. */
    List<Reservation> oldest(int asks) {
        return byAsk.values().stream()
                .limit(asks)
                .map(alike -> alike.iterator().next())
                .toList();
    }

    void add(Reservation reservation) {
        var _ = byAsk.computeIfAbsent(reservation.ask(), _ -> new LinkedHashSet<>())
                .add(reservation);
    }

    /** If it is among them. */
    void remove(Reservation reservation) {
        byAsk.computeIfPresent(reservation.ask(), (_, alike) -> {
            alike.remove(reservation);
            return alike.isEmpty() ? null : alike;
        });
    }

    /** As many as fit there come to stand on {@code account}. */
    void fill(Account account) {
        if (byAsk.isEmpty() || account.node() == null) {
            return;
        }
        for (Iterator<Map.Entry<Ask, Set<Reservation>>> asks = byAsk.entrySet().iterator(); asks.hasNext(); ) {
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
