package dev.sluice.ledger.placement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All reservations, each placed on a node or pending. When capacity becomes free, those that were promised room come
 * first, and the oldest of them before the others.
 */
public final class Reservations {

    /** For so many different demands others are moved when capacity becomes free; more would make events slow. */
    private static final int MOST_REARRANGED = 32;

    private final NodeIndex index;
    private final PendingQueue promised;
    private final PendingQueue waiting;
    /** Overcommitted ones, and those whose nominated node is not known yet. */
    private final Set<Reservation> misplaced = new LinkedHashSet<>();

    private final Evictions evictions = new Evictions();
    /** To be settled in turn, never recursively: each may change another, as often as there are pods. */
    private final SequencedSet<NodeUsage> changed = new LinkedHashSet<>();

    private Settling settling = Settling.AT_ONCE;

    /** When a changed node is settled. */
    private enum Settling {
        AT_ONCE,
        LATER
    }

    public Reservations(NodeIndex index) {
        this.index = index;
        this.promised = new PendingQueue(index);
        this.waiting = new PendingQueue(index);
    }

    public long evictions() {
        return evictions.count();
    }

    public Stream<Reservation> pending() {
        return Stream.of(promised, waiting).flatMap(PendingQueue::all);
    }

    public long overcommitted() {
        return misplaced.stream()
                .filter(reservation -> reservation.placement() instanceof Placement.Overcommitted)
                .count();
    }

    public void listStarted() {
        evictions.listStarted();
    }

    public void listEnded() {
        evictions.listEnded(promised);
    }

    /** Runs many changes and settles each node once after them. */
    public void together(Runnable changes) {
        settlingLater(changes);
        settlingLater(this::settleAll);
    }

    private void settlingLater(Runnable work) {
        settling = Settling.LATER;
        try {
            work.run();
        } finally {
            settling = Settling.AT_ONCE;
        }
    }

    /** After the usage of a node has changed: evicts those that no longer fit, and places others that fit now. */
    public void settle(NodeUsage usage) {
        changed.add(usage);
        if (settling == Settling.AT_ONCE) {
            settlingLater(this::settleAll);
        }
    }

    /** Those that were promised room come first on all nodes, and the others after them. */
    private void settleAll() {
        do {
            Set<NodeUsage> settled = settlePromised();
            for (NodeUsage usage : settled) {
                fill(usage, waiting);
                index.removeIfUnused(usage);
            }
        } while (!changed.isEmpty());
    }

    private Set<NodeUsage> settlePromised() {
        Set<NodeUsage> settled = new LinkedHashSet<>();
        do {
            while (!changed.isEmpty()) {
                NodeUsage usage = changed.removeFirst();
                settled.add(usage);
                evictFrom(usage);
                List.copyOf(misplaced).forEach(reservation -> reconcile(reservation, usage));
                fill(usage, promised);
            }
            rearrange();
        } while (!changed.isEmpty());
        return settled;
    }

    private void fill(NodeUsage usage, PendingQueue queue) {
        if (queue.fill(usage)) {
            changed.add(usage);
        }
    }

    /** A reservation that is not known yet. */
    public void add(Reservation reservation) {
        if (!findsRoom(reservation.unplace())) {
            queueOf(reservation).add(reservation);
        }
    }

    /** Others are not moved if they were moved in vain for the same demand. */
    private boolean findsRoom(Placement.Pending pending) {
        Reservation reservation = pending.reservation();
        return place(pending)
                || (reservation.isPromised()
                        && !promised.hasDemandOf(reservation)
                        && rearrangeFor(reservation, new Rearrangement(index)));
    }

    private boolean place(Placement.Pending pending) {
        PodDemand demand = pending.reservation().demand();
        index.sees(demand.priority().value());
        if (demand.nominated() != null) {
            NodeUsage nominated = index.known(demand.nominated());
            if (nominated != null) {
                pending.nominate(nominated);
                settle(nominated);
                return true;
            }
            misplaced.add(pending.reservation());
        }
        Optional<NodeUsage> free = index.find(demand.need(), demand.constraints());
        free.ifPresent(pending::place);
        return free.isPresent() || preempts(pending);
    }

    /** Those of lower priority leave the node when it is settled. */
    private boolean preempts(Placement.Pending pending) {
        PodDemand demand = pending.reservation().demand();
        Optional<NodeUsage> found = index.findByPreemption(demand.need(), demand.constraints(), demand.priority());
        found.ifPresent(usage -> {
            pending.preempt(usage);
            settle(usage);
        });
        return found.isPresent();
    }

    public void remove(Reservation reservation) {
        NodeUsage before = reservation.node();
        var _ = unplace(reservation);
        if (before != null) {
            settle(before);
        }
    }

    /** Takes it off its node or out of its queue; the caller settles the node. */
    public Placement.Pending unplace(Reservation reservation) {
        misplaced.remove(reservation);
        if (reservation.placement() instanceof Placement.Pending) {
            queueOf(reservation).remove(reservation);
        }
        return reservation.unplace();
    }

    /** The pod of a preempted decision exists after all. */
    public void renewPromise(Reservation reservation) {
        waiting.remove(reservation);
        reservation.renewPromise();
        if (reservation.placement() instanceof Placement.Pending pending) {
            placeElsewhere(pending);
        }
    }

    /** The pod of a decision that has lapsed is being created after all. */
    public void restore(Reservation reservation) {
        if (reservation.promise() == Reservation.Promise.GAVE_WAY) {
            renewPromise(reservation);
        } else {
            add(reservation);
        }
    }

    /** It stays on its node if it still fits there. */
    public void resize(Reservation reservation, PodDemand demand) {
        if (reservation.demand().equals(demand)) {
            return;
        }
        NodeUsage before = reservation.node();
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

    /** As {@link #resize}, but it stays on its node if it fits nowhere, because room was promised to it. */
    public void resizeInPlace(Reservation reservation, PodDemand demand) {
        NodeUsage before = reservation.node();
        if (before == null || !reservation.isPromised() || reservation.demand().equals(demand)) {
            resize(reservation, demand);
            return;
        }
        Placement.Pending pending = unplace(reservation);
        pending.resize(demand);
        if (before.fits(demand)) {
            pending.place(before);
        } else if (!place(pending)) {
            pending.overcommit(before);
            misplaced.add(reservation);
        }
        settle(before);
        if (reservation.placement() instanceof Placement.Overcommitted) {
            evictions.overcommitted();
        }
    }

    /** It is evicted if no other node has room for it. */
    private void placeElsewhere(Placement.Pending pending) {
        Reservation reservation = pending.reservation();
        if (!findsRoom(pending)) {
            queueOf(reservation).add(reservation);
            if (reservation.isPromised()) {
                evictions.evicted(reservation);
            }
        }
    }

    private PendingQueue queueOf(Reservation reservation) {
        return reservation.isPromised() ? promised : waiting;
    }

    /** As {@link #settle}, and evicts those that the node no longer admits. */
    public void nodeChanged(NodeUsage usage) {
        for (Reservation reservation : List.copyOf(usage.reservations()).reversed()) {
            if (reservation.node() == usage
                    && !(reservation.placement() instanceof Placement.Nominated)
                    && !usage.admits(reservation.constraints())) {
                placeElsewhere(unplace(reservation));
            }
        }
        settle(usage);
    }

    /**
     * Evicts the newest of the lowest priority until the others have room. One pass is enough, because an eviction
     * takes room from nobody.
     */
    private void evictFrom(NodeUsage usage) {
        if (!usage.isOvercommitted() && !usage.isPreemptedFor()) {
            return;
        }
        List<Reservation> newestFirst = new ArrayList<>(usage.reservations());
        Collections.reverse(newestFirst);
        newestFirst.sort(Comparator.comparingInt(
                reservation -> reservation.demand().priority().value()));
        for (Reservation reservation : newestFirst) {
            if (reservation.node() == usage && !hasRoomOn(usage, reservation)) {
                placeElsewhere(unplace(reservation));
            }
        }
    }

    private static boolean hasRoomOn(NodeUsage usage, Reservation reservation) {
        return switch (reservation.placement()) {
            case Placement.Pending _ -> true;
            case Placement.Tentative _ -> !usage.usesOvercommitted(reservation.need());
            case Placement.Preempting _ -> usage.keeps(reservation);
            case Placement.Nominated _, Placement.Overcommitted _ -> usage.node() != null;
        };
    }

    /** Moves it to {@code usage} if it should be there, or notes that it fits where it is. */
    private void reconcile(Reservation reservation, NodeUsage usage) {
        if (!misplaced.contains(reservation)) {
            return;
        }
        if (isWanted(usage, reservation.demand())) {
            NodeUsage before = reservation.node();
            var _ = unplace(reservation);
            add(reservation);
            if (before != null) {
                settle(before);
            }
        } else if (reservation.placement() instanceof Placement.Overcommitted here && here.fits()) {
            here.settle();
            misplaced.remove(reservation);
        }
    }

    private static boolean isWanted(NodeUsage usage, PodDemand demand) {
        return demand.nominated() == null
                ? usage.fits(demand)
                : usage.node() != null && usage.name().equals(demand.nominated());
    }

    /** Others that move into what has become free may make room for those that were promised some. */
    private void rearrange() {
        Rearrangement rearrangement = new Rearrangement(index);
        for (Reservation oldest : promised.oldest(MOST_REARRANGED)) {
            if (promised.has(oldest)) {
                var _ = rearrangeFor(oldest, rearrangement);
            }
        }
    }

    private boolean rearrangeFor(Reservation reservation, Rearrangement rearrangement) {
        boolean found = rearrangement.makeRoomFor(reservation);
        if (found) {
            promised.remove(reservation);
            for (Reservation other : rearrangement.evicted()) {
                // When one is placed again, others may come to their nominated node.
                if (other.placement() instanceof Placement.Pending pending) {
                    placeElsewhere(pending);
                }
            }
            rearrangement.changed().forEach(this::settle);
        }
        return found;
    }
}
