package dev.sluice.ledger;

import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decisions whose pods were not seen yet, by the stamp that was given to each. A stamp is worth something once, and
 * only in the namespace for which it was given.
 */
final class Stamps {

    private record Given(String namespace, Reservation reservation, Instant at) {}

    /** In the order of their giving. */
    private final Map<String, Given> given = new LinkedHashMap<>();

    int size() {
        return given.size();
    }

    /** What was decided before for this stamp is returned: the same pod was asked about again. */
    @Nullable
    Reservation give(String stamp, String namespace, Reservation reservation, Instant now) {
        Given before = given.remove(stamp);
        given.put(stamp, new Given(namespace, reservation, now));
        return before == null ? null : before.reservation();
    }

    void forEach(Consumer<Reservation> action) {
        given.values().forEach(one -> action.accept(one.reservation()));
    }

    @Nullable
    Reservation get(String stamp, String namespace) {
        Given found = given.get(stamp);
        return found == null || !found.namespace().equals(namespace) ? null : found.reservation();
    }

    /** The reservation of the decision for this pod, which is now seen. */
    @Nullable
    Reservation redeem(String stamp, String namespace) {
        Reservation reservation = get(stamp, namespace);
        if (reservation != null) {
            given.remove(stamp);
        }
        return reservation;
    }

    /** The next decision whose pod can no longer appear: everything stored before {@code toldUpTo} has been told. */
    Optional<Reservation> expired(Instant toldUpTo) {
        Iterator<Given> oldest = given.values().iterator();
        if (!oldest.hasNext()) {
            return Optional.empty();
        }
        Given first = oldest.next();
        if (first.at().plus(Ledger.LONGEST_CREATE).isAfter(toldUpTo)) {
            return Optional.empty();
        }
        oldest.remove();
        return Optional.of(first.reservation());
    }
}
