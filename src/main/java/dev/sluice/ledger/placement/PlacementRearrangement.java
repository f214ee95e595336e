package dev.sluice.ledger.placement;

import dev.sluice.cluster.quantity.Amounts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes room for one reservation by moving other reservations to other nodes, where they may displace further
 * reservations. Reservations without promised capacity may become pending instead.
 */
final class PlacementRearrangement {

    /**
     * The maximum number of attempts to move reservations away for another one. This many attempts take a fraction of a
     * millisecond. A search for the best placement would take exponential time.
     */
    private static final int MOST_ATTEMPTS = 128;

    private static final int MOST_NODES = 1024;
    private static final int LONGEST_CHAIN = 4;

    /**
     * A move that can be undone.
     *
     * @param before the placement before the move
     * @param position the index of the reservation in the list of its node before the move
     */
    private record Displacement(Placement before, int position) {
        PlacementReservation reservation() {
            return before.reservation();
        }
    }

    private final PlacementNodeIndex index;
    private final Deque<Displacement> moves = new ArrayDeque<>();
    /** The reservations that were moved in the current attempt. No reservation is moved twice. */
    private final Set<PlacementReservation> moved = new HashSet<>();

    private int attempts;
    private int nodes;

    PlacementRearrangement(PlacementNodeIndex index) {
        this.index = index;
    }

    /**
     * Returns the reservations that have lost their node and are pending now. None of them has a promise of capacity.
     */
    List<PlacementReservation> evicted() {
        return moves.stream()
                .map(Displacement::reservation)
                .filter(reservation -> reservation.node() == null)
                .distinct()
                .toList();
    }

    /** Returns the nodes that have lost a reservation. */
    Set<PlacementNodeUsage> changed() {
        Set<PlacementNodeUsage> changed = new LinkedHashSet<>();
        for (Displacement move : moves) {
            if (move.before() instanceof Placement.Assigned assigned) {
                changed.add(assigned.node());
            }
        }
        return changed;
    }

    /** Places the reservation on a node and returns true, or changes nothing and returns false. */
    boolean makeRoomFor(PlacementReservation reservation) {
        moves.clear();
        moved.clear();
        return makeRoomFor(reservation, LONGEST_CHAIN);
    }

    private boolean makeRoomFor(PlacementReservation reservation, int chain) {
        List<PlacementNodeUsage> candidates = index.withReservations().stream()
                .limit(chain == 0 ? 0 : MOST_NODES)
                .toList();
        for (PlacementNodeUsage usage : candidates) {
            if (attempts > MOST_ATTEMPTS || ++nodes > MOST_NODES) {
                return false;
            }
            if (index.admits(usage, reservation.constraints()) && makeRoomOn(usage, reservation, chain)) {
                return true;
            }
        }
        return false;
    }

    private boolean makeRoomOn(PlacementNodeUsage usage, PlacementReservation reservation, int chain) {
        List<PlacementReservation> newestFirst = new ArrayList<>();
        Amounts theirs = Amounts.NONE;
        for (PlacementReservation other : List.copyOf(usage.reservations()).reversed()) {
            if (!(other.placement() instanceof Placement.Tentative) || moved.contains(other)) {
                continue;
            }
            if (usage.coversWith(other.need(), reservation.need())
                    && replace(usage, reservation, List.of(other), chain)) {
                return true;
            }
            if (!other.isPromised()
                    || index.find(other.need(), other.constraints()).isPresent()) {
                newestFirst.add(other);
                theirs = theirs.plus(other.need());
            }
            if (newestFirst.size() > 1
                    && usage.coversWith(theirs, reservation.need())
                    && replace(usage, reservation, newestFirst, chain)) {
                return true;
            }
        }
        return false;
    }

    private boolean replace(
            PlacementNodeUsage usage, PlacementReservation reservation, List<PlacementReservation> others, int chain) {
        attempts++;
        int before = moves.size();
        others.forEach(other -> {
            var _ = displace(other);
        });
        displace(reservation).place(usage);
        // Only reservations with promised capacity must find another node. The other reservations become pending, and
        // are placed wherever capacity is left.
        for (PlacementReservation other : others) {
            if (other.isPromised() && !moveElsewhere(other, chain)) {
                undo(before);
                return false;
            }
        }
        return true;
    }

    private Placement.Pending displace(PlacementReservation reservation) {
        PlacementNodeUsage node = reservation.node();
        int position = node == null ? 0 : node.reservations().indexOf(reservation);
        moves.push(new Displacement(reservation.placement(), position));
        moved.add(reservation);
        return reservation.unplace();
    }

    /**
     * Undoes moves until {@link #moves} has only {@code size} elements. The last move is undone first, so that each
     * reservation returns to its former position.
     */
    private void undo(int size) {
        while (moves.size() > size) {
            Displacement last = moves.pop();
            moved.remove(last.reservation());
            Placement.Pending pending = last.reservation().unplace();
            if (last.before() instanceof Placement.Tentative before) {
                pending.restore(before.node(), last.position());
            }
        }
    }

    private boolean moveElsewhere(PlacementReservation other, int chain) {
        Optional<PlacementNodeUsage> free = index.find(other.need(), other.constraints());
        free.ifPresent(other.unplace()::place);
        return free.isPresent() || makeRoomFor(other, chain - 1);
    }
}
