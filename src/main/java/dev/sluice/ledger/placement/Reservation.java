package dev.sluice.ledger.placement;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.Placement.Assigned;
import dev.sluice.ledger.placement.Placement.Pending;
import org.jspecify.annotations.Nullable;

/** What one pod that is not bound takes of the cluster. */
public final class Reservation {

    /** What the author of the pod was told when it was created. */
    public enum Promise {
        ROOM,
        /** There was room, but it was preempted for a namespace that had less. */
        GAVE_WAY,
        /** The pod has to wait; or no decision was made for it. */
        NOTHING
    }

    /** The pod for which something is reserved. */
    public sealed interface Owner {
        /** A name for people. */
        String name();
    }

    /**
     * A pod for which a decision was made, and which was not seen yet.
     *
     * @param turn rises with every decision
     */
    public record ExpectedPod(String stamp, String namespace, long turn) implements Owner {
        @Override
        public String name() {
            return "a new pod in " + namespace;
        }
    }

    /** A pod that exists and is not bound. */
    public record ExistingPod(String name) implements Owner {}

    private Owner owner;
    private Promise promise;
    private PodDemand demand;
    private Placement placement = new Pending(this);

    public Reservation(Owner owner, Promise promise, PodDemand demand) {
        this.owner = owner;
        this.promise = promise;
        this.demand = demand;
    }

    public static Reservation of(AssumeRequest decided, long turn) {
        return new Reservation(
                new ExpectedPod(decided.stamp(), decided.namespace(), turn),
                decided.promised() ? Promise.ROOM : Promise.NOTHING,
                new PodDemand(decided.need(), decided.constraints(), null, decided.priority()));
    }

    public Owner owner() {
        return owner;
    }

    /** The expected pod was seen. */
    public void confirm(ExistingPod pod) {
        owner = pod;
    }

    public Promise promise() {
        return promise;
    }

    public boolean isPromised() {
        return promise == Promise.ROOM;
    }

    /** To be called while it is in no queue, because there is a queue for each promise. */
    public void preempt() {
        promise = isPromised() ? Promise.GAVE_WAY : promise;
    }

    /** The promise holds again; to be called while it is in no queue. */
    public void renewPromise() {
        promise = Promise.ROOM;
    }

    public PodDemand demand() {
        return demand;
    }

    public Amounts need() {
        return demand.need();
    }

    public NodeConstraints constraints() {
        return demand.constraints();
    }

    void resize(Pending from, PodDemand resized) {
        become(from, from);
        demand = resized;
    }

    public Placement placement() {
        return placement;
    }

    /** Whether the scheduler preempts pods of lower priority for it on its node, or can. */
    public boolean isPreemptor() {
        return demand.priority().preempts()
                && (placement instanceof Placement.Preempting || placement instanceof Placement.Nominated);
    }

    /** Null while it is pending. */
    @Nullable
    public NodeUsage node() {
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

    /** Takes it off its node, if it is on one. */
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
