package dev.sluice.ledger.placement;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.Placement.Assigned;
import dev.sluice.ledger.placement.Placement.Pending;
import org.jspecify.annotations.Nullable;

/** The resources that are reserved for one pod that is not bound. */
public final class PlacementReservation {

    /** States whether the answer of the webhook promised capacity for the pod. */
    public enum Promise {
        ROOM,
        /**
         * Capacity was promised for the pod, but the promise was revoked: another decision needed the capacity, or a
         * newer decision shows that the pod was refused.
         */
        GAVE_WAY,
        /** No capacity was promised: the pod was told to wait for capacity, or no decision was made about it. */
        NOTHING
    }

    /** The pod for which resources are reserved. */
    public sealed interface Owner {
        /** Returns a name that is shown to people. */
        String name();
    }

    /**
     * A pod for which a decision was made, and which the watch has not shown yet.
     *
     * @param turn a number that increases with each decision
     */
    public record ExpectedPod(String stamp, String namespace, long turn) implements Owner {
        @Override
        public String name() {
            return "a new pod in " + namespace;
        }
    }

    /** A pod that exists but is not bound. */
    public record ExistingPod(String name) implements Owner {}

    private Owner owner;
    private Promise promise;
    private PlacementDemand demand;
    private Placement placement = new Pending(this);

    public PlacementReservation(Owner owner, Promise promise, PlacementDemand demand) {
        this.owner = owner;
        this.promise = promise;
        this.demand = demand;
    }

    public static PlacementReservation of(PlacementRequest decided, long turn) {
        return new PlacementReservation(
                new ExpectedPod(decided.stamp(), decided.namespace(), turn),
                decided.promised() ? Promise.ROOM : Promise.NOTHING,
                new PlacementDemand(decided.need(), decided.constraints(), null, decided.priority()));
    }

    public Owner owner() {
        return owner;
    }

    /** Records that the watch has shown the pod, so that it is no longer an {@link ExpectedPod}. */
    public void confirm(ExistingPod pod) {
        owner = pod;
    }

    public Promise promise() {
        return promise;
    }

    public boolean isPromised() {
        return promise == Promise.ROOM;
    }

    /**
     * Revokes the promise of capacity. Until the watch shows the pod, the reservation no longer preempts other pods.
     * Before this call, the caller must remove the reservation from its queue, because reservations with and without a
     * promise have separate queues.
     */
    public void preempt() {
        promise = isPromised() ? Promise.GAVE_WAY : promise;
        demand = demand.withoutPreemption();
    }

    /**
     * Restores the promise of capacity. The caller must first remove the reservation from its queue, because
     * reservations with and without a promise have separate queues.
     */
    public void renewPromise() {
        promise = Promise.ROOM;
    }

    public PlacementDemand demand() {
        return demand;
    }

    public Amounts need() {
        return demand.need();
    }

    public NodeConstraints constraints() {
        return demand.constraints();
    }

    void resize(Pending from, PlacementDemand resized) {
        become(from, from);
        demand = resized;
    }

    public Placement placement() {
        return placement;
    }

    /**
     * Returns true if the pod depends on preemption: the scheduler preempts pods of lower priority on its node, or can
     * do so.
     */
    public boolean isPreemptor() {
        return demand.priority().preempts()
                && (placement instanceof Placement.Preempting || placement instanceof Placement.Nominated);
    }

    /** Returns the node of the reservation; null if it is pending. */
    @Nullable
    public PlacementNodeUsage node() {
        return placement instanceof Assigned assigned ? assigned.node() : null;
    }

    void become(Placement from, Placement to) {
        if (!placement.equals(from)) {
            throw new IllegalStateException("a move from a placement that has ended");
        }
        placement = to;
    }

    void assign(Pending from, Assigned to) {
        assign(from, to, to.node().reservations().size());
    }

    void assign(Pending from, Assigned to, int position) {
        become(from, to);
        to.node().reserve(this, position);
    }

    /** Removes the reservation from its node, if it has one. */
    public Pending unplace() {
        return switch (placement) {
            case Pending pending -> pending;
            case Assigned assigned -> {
                assigned.node().release(this);
                Pending pending = new Pending(this);
                placement = pending;
                yield pending;
            }
        };
    }
}
