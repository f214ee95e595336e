package dev.sluice.ledger.nodeindex;

import dev.sluice.node.Node;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.scheduling.NodeConstraints;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The usage of one node: what bound pods take, and what reservations take. A ghost, a node that is known only by its
 * pods, has nothing free.
 */
public final class NodeUsage {

    private final String name;
    private final Set<NodeUsage> withReservations;
    private @Nullable Node node;
    private Amounts allocated = Amounts.NONE;
    private Amounts reserved = Amounts.NONE;
    private Amounts free = Amounts.NONE;
    private List<Reservation> reservations = List.of();

    /** Null for a ghost. */
    private @Nullable NodeBucket bucket;

    private int slot;

    /** It is an element of {@code withReservations} while it has any. */
    NodeUsage(String name, Set<NodeUsage> withReservations) {
        this.name = name;
        this.withReservations = withReservations;
    }

    public String name() {
        return name;
    }

    @Nullable
    public Node node() {
        return node;
    }

    public Amounts allocated() {
        return allocated;
    }

    public Amounts reserved() {
        return reserved;
    }

    /** Allocatable − Allocated − Reserved; an amount is below 0 if the node is overcommitted. */
    public Amounts free() {
        return free;
    }

    /** The newest is the last. */
    public List<Reservation> reservations() {
        return reservations;
    }

    /** Whether neither a node nor a pod of it is known. */
    boolean isUnused() {
        return node == null && reservations.isEmpty() && allocated.isZero();
    }

    @Nullable
    public NodeBucket bucket() {
        return bucket;
    }

    int slot() {
        return slot;
    }

    void moveTo(@Nullable NodeBucket other, int otherSlot) {
        bucket = other;
        slot = otherSlot;
    }

    void setNode(@Nullable Node known) {
        node = known;
        recount();
    }

    public void allocate(Amounts requests) {
        allocated = allocated.plus(requests);
        recount();
    }

    public void deallocate(Amounts requests) {
        allocated = allocated.minus(requests);
        recount();
    }

    void reserve(Reservation reservation, int position) {
        if (reservations.isEmpty()) {
            reservations = new ArrayList<>(1);
            withReservations.add(this);
        }
        reservations.add(position, reservation);
        reserved = reserved.plus(reservation.need());
        recount();
    }

    void release(Reservation reservation) {
        reservations.remove(reservation);
        reserved = reservations.isEmpty() ? Amounts.NONE : reserved.minus(reservation.need());
        if (reservations.isEmpty()) {
            withReservations.remove(this);
        }
        recount();
    }

    private void recount() {
        free = node == null ? Amounts.NONE : node.allocatable().minus(allocated).minus(reserved);
        if (bucket != null) {
            bucket.update(this);
        }
    }

    /** Whether the scheduler could bind such a pod to this node now. */
    public boolean fits(PodDemand demand) {
        return covers(demand.need()) && admits(demand.constraints());
    }

    /** Whether the scheduler could bind such a pod to this node if there is room. */
    public boolean admits(NodeConstraints constraints) {
        return node != null && constraints.presentRefusal(node).isEmpty();
    }

    /** As {@link #covers}, if {@code more} were free. */
    public boolean coversWith(Amounts more, Amounts need) {
        return node != null && free.plus(more).covers(counted(need));
    }

    /**
     * The scheduler's resource fit. A node that does not say how many pods it takes has no limit: real nodes always say
     * it, and nodes written by hand seldom do.
     */
    public boolean covers(Amounts need) {
        return node != null && free.covers(counted(need));
    }

    /** The part of {@code need} that is compared with what is free. */
    public Amounts counted(Amounts need) {
        return countsPods() ? need : need.only(name -> !name.equals(ResourceName.PODS));
    }

    boolean countsPods() {
        return node != null && node.allocatable().has(ResourceName.PODS);
    }

    /** Whether reservations take more than is left by bound pods. */
    public boolean isOvercommitted() {
        return node == null ? !reservations.isEmpty() : usesOvercommitted(reserved);
    }

    /** Whether {@code amounts} take some of a resource that is overcommitted. */
    public boolean usesOvercommitted(Amounts amounts) {
        return node == null
                || amounts.anyMatch((name, value) ->
                        value > 0 && free.get(name) < 0 && (countsPods() || !name.equals(ResourceName.PODS)));
    }
}
