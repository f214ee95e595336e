package dev.sluice.ledger.placement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Manages all reservations. Each reservation is placed on a node or pending. When capacity becomes free, reservations
 * with a promise of capacity get it before reservations without one. Within each of these two groups, older
 * reservations come before newer reservations.
 */
public final class PlacementReservations {

    /**
     * The maximum number of different demands for which other reservations are moved. A higher number would make the
     * processing of events slow.
     */
    private static final int MOST_REARRANGED = 32;

    private final PlacementNodeIndex index;
    private final PendingReservationQueue promised;
    private final PendingReservationQueue waiting;
    /** The reservations whose nominated node is not known yet. */
    private final Set<PlacementReservation> misplaced = new LinkedHashSet<>();

    private final ReservationEvictions evictions = new ReservationEvictions();
    /**
     * The changed nodes that still have to be settled, see {@link #settle}. Settling a node may change other nodes,
     * which are added here. A recursion instead could become as deep as the number of pods.
     */
    private final SequencedSet<PlacementNodeUsage> changed = new LinkedHashSet<>();

    private Settling settling = Settling.AT_ONCE;

    /** States when {@link #settle} does its work for a changed node. */
    private enum Settling {
        AT_ONCE,
        LATER
    }

    public PlacementReservations(PlacementNodeIndex index) {
        this.index = index;
        this.promised = new PendingReservationQueue(index);
        this.waiting = new PendingReservationQueue(index);
    }

    public long evictions() {
        return evictions.count();
    }

    public Stream<PlacementReservation> pending() {
        return Stream.of(promised, waiting).flatMap(PendingReservationQueue::all);
    }

    /** Returns the number of pending reservations. Reservations with an {@code excluded} demand do not count. */
    public long pendingWithout(Predicate<PlacementDemand> excluded) {
        return Stream.of(promised, waiting)
                .mapToLong(queue -> queue.countWithout(excluded))
                .sum();
    }

    public void listStarted() {
        evictions.listStarted();
    }

    public void listEnded() {
        evictions.listEnded(promised);
    }

    /** Makes several changes. After all changes, {@link #settle} is done once for each changed node. */
    public <T> T together(Supplier<T> changes) {
        settling = Settling.LATER;
        try {
            T made = changes.get();
            settleAll();
            return made;
        } finally {
            settling = Settling.AT_ONCE;
        }
    }

    /**
     * Makes the same change to each of these objects. After all changes, {@link #settle} is done once for each changed
     * node.
     */
    public <T> void together(List<T> all, Consumer<T> change) {
        var _ = together(() -> {
            all.forEach(change);
            return all;
        });
    }

    /**
     * Settles a node whose usage has changed: evicts reservations that no longer fit there, and places pending
     * reservations that fit there now.
     */
    public void settle(PlacementNodeUsage usage) {
        changed.add(usage);
        if (settling == Settling.AT_ONCE) {
            var _ = together(() -> usage);
        }
    }

    /**
     * Settles all changed nodes. Reservations with a promise of capacity are placed on all nodes first. After that,
     * reservations without a promise are placed.
     */
    private void settleAll() {
        do {
            Set<PlacementNodeUsage> settled = settlePromised();
            for (PlacementNodeUsage usage : settled) {
                fill(usage, waiting);
                index.removeIfUnused(usage);
            }
        } while (!changed.isEmpty());
    }

    private Set<PlacementNodeUsage> settlePromised() {
        Set<PlacementNodeUsage> settled = new LinkedHashSet<>();
        do {
            while (!changed.isEmpty()) {
                PlacementNodeUsage usage = changed.removeFirst();
                settled.add(usage);
                evictFrom(usage);
                List.copyOf(misplaced).forEach(reservation -> reconcile(reservation, usage));
                fill(usage, promised);
            }
            rearrange();
        } while (!changed.isEmpty());
        return settled;
    }

    private void fill(PlacementNodeUsage usage, PendingReservationQueue queue) {
        if (queue.fill(usage)) {
            changed.add(usage);
        }
    }

    /** Adds a new reservation, and places it if a node has enough capacity. */
    public void add(PlacementReservation reservation) {
        if (!findsRoom(reservation.unplace())) {
            queueOf(reservation).add(reservation);
        }
    }

    /**
     * Places the reservation if possible. If needed, moves other reservations to make room. Nothing is moved if another
     * reservation with the same demand is pending, because moving has failed for that reservation.
     */
    private boolean findsRoom(Placement.Pending pending) {
        PlacementReservation reservation = pending.reservation();
        return place(pending)
                || (reservation.isPromised()
                        && !promised.hasDemandOf(reservation)
                        && rearrangeFor(reservation, new PlacementRearrangement(index)));
    }

    private boolean place(Placement.Pending pending) {
        PlacementDemand demand = pending.reservation().demand();
        index.sees(demand.priority().value());
        if (demand.nominated() != null) {
            PlacementNodeUsage nominated = index.known(demand.nominated());
            if (nominated != null) {
                pending.nominate(nominated);
                settle(nominated);
                return true;
            }
            misplaced.add(pending.reservation());
        }
        Optional<PlacementNodeUsage> free = index.find(demand.need(), demand.constraints());
        free.ifPresent(pending::place);
        return free.isPresent() || preempts(pending);
    }

    /**
     * Places the reservation on a node where its pod can preempt pods of lower priority, and returns true if there is
     * one. {@link #settle} then evicts reservations that no longer fit there.
     */
    private boolean preempts(Placement.Pending pending) {
        PlacementDemand demand = pending.reservation().demand();
        Optional<PlacementNodeUsage> found =
                index.findByPreemption(demand.need(), demand.constraints(), demand.priority());
        found.ifPresent(usage -> {
            pending.preempt(usage);
            settle(usage);
        });
        return found.isPresent();
    }

    public void remove(PlacementReservation reservation) {
        PlacementNodeUsage before = reservation.node();
        var _ = unplace(reservation);
        if (before != null) {
            settle(before);
        }
    }

    /**
     * Removes the reservation from its node or queue. If it was on a node, the caller must then call {@link #settle}
     * for this node.
     */
    public Placement.Pending unplace(PlacementReservation reservation) {
        misplaced.remove(reservation);
        if (reservation.placement() instanceof Placement.Pending) {
            queueOf(reservation).remove(reservation);
        }
        return reservation.unplace();
    }

    /**
     * Restores a revoked promise of capacity after the watch has shown the pod. If the reservation is pending, places
     * it if a node has enough capacity.
     */
    public void renewPromise(PlacementReservation reservation) {
        waiting.remove(reservation);
        reservation.renewPromise();
        if (reservation.placement() instanceof Placement.Pending pending) {
            placeElsewhere(pending);
        }
    }

    /** Changes the demand of a reservation. The reservation stays on its node if it still fits there. */
    public void resize(PlacementReservation reservation, PlacementDemand demand) {
        if (reservation.demand().equals(demand)) {
            return;
        }
        PlacementNodeUsage before = reservation.node();
        Placement.Pending pending = unplace(reservation);
        pending.resize(demand);
        if (before == null) {
            add(reservation);
            return;
        }
        if (demand.nominated() == null && before.fits(demand)) {
            pending.place(before);
        } else {
            placeElsewhere(pending);
        }
        settle(before);
    }

    /**
     * Places the reservation on another node, or makes it pending if no node has enough capacity. A reservation with a
     * promise of capacity counts as evicted when it becomes pending.
     */
    private void placeElsewhere(Placement.Pending pending) {
        PlacementReservation reservation = pending.reservation();
        if (!findsRoom(pending)) {
            queueOf(reservation).add(reservation);
            if (reservation.isPromised()) {
                evictions.evicted(reservation);
            }
        }
    }

    private PendingReservationQueue queueOf(PlacementReservation reservation) {
        return reservation.isPromised() ? promised : waiting;
    }

    /**
     * Evicts the reservations of pods that a node no longer admits after a change, for example of its labels or taints.
     * Then calls {@link #settle} for the node.
     */
    public void nodeChanged(PlacementNodeUsage usage) {
        for (PlacementReservation reservation :
                List.copyOf(usage.reservations()).reversed()) {
            if (reservation.node() == usage
                    && !(reservation.placement() instanceof Placement.Nominated)
                    && !usage.admits(reservation.constraints())) {
                placeElsewhere(unplace(reservation));
            }
        }
        settle(usage);
    }

    /**
     * Evicts the reservations that no longer fit on the node. The lowest priority is evicted first, and within a
     * priority the newest reservation. A reservation on its nominated node stays. An eviction takes capacity from no
     * other reservation, so one pass is enough.
     */
    private void evictFrom(PlacementNodeUsage usage) {
        if (!usage.isOvercommitted() && !usage.isPreemptedFor()) {
            return;
        }
        List<PlacementReservation> newestFirst = new ArrayList<>(usage.reservations());
        Collections.reverse(newestFirst);
        newestFirst.sort(Comparator.comparingInt(
                reservation -> reservation.demand().priority().value()));
        for (PlacementReservation reservation : newestFirst) {
            if (reservation.node() == usage && !hasRoomOn(usage, reservation)) {
                placeElsewhere(unplace(reservation));
            }
        }
    }

    private static boolean hasRoomOn(PlacementNodeUsage usage, PlacementReservation reservation) {
        return switch (reservation.placement()) {
            case Placement.Pending _ -> true;
            case Placement.Tentative _ -> !usage.usesOvercommitted(reservation.need());
            case Placement.Preempting _ -> usage.keeps(reservation);
            case Placement.Nominated _ -> usage.node() != null;
        };
    }

    /** Moves the reservation to {@code usage} if this is its nominated node, which was not known before. */
    private void reconcile(PlacementReservation reservation, PlacementNodeUsage usage) {
        boolean isWanted =
                usage.node() != null && usage.name().equals(reservation.demand().nominated());
        if (isWanted && misplaced.contains(reservation)) {
            PlacementNodeUsage before = reservation.node();
            var _ = unplace(reservation);
            add(reservation);
            if (before != null) {
                settle(before);
            }
        }
    }

    /**
     * Tries to make room for pending reservations with a promise of capacity, by moving other reservations to nodes
     * where capacity has become free.
     */
    private void rearrange() {
        PlacementRearrangement rearrangement = new PlacementRearrangement(index);
        for (PlacementReservation oldest : promised.oldest(MOST_REARRANGED)) {
            if (promised.has(oldest)) {
                var _ = rearrangeFor(oldest, rearrangement);
            }
        }
    }

    private boolean rearrangeFor(PlacementReservation reservation, PlacementRearrangement rearrangement) {
        boolean found = rearrangement.makeRoomFor(reservation);
        if (found) {
            promised.remove(reservation);
            for (PlacementReservation other : rearrangement.evicted()) {
                // A placed reservation may cause others to be placed on their nominated nodes, so only reservations
                // that are still pending are placed here.
                if (other.placement() instanceof Placement.Pending pending) {
                    placeElsewhere(pending);
                }
            }
            rearrangement.changed().forEach(this::settle);
        }
        return found;
    }
}
