package dev.sluice.ledger.nodeindex;

import dev.sluice.node.Node;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.scheduling.NodeConstraints;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one node has, holds and has promised. A ghost, known only by its pods, has no node and nothing free. */
public final class NodeUsage {

    private final String name;
    private final Set<NodeUsage> withReservations;
    private @Nullable Node node;
    private Amounts allocated = Amounts.NONE;
    private Amounts reserved = Amounts.NONE;
    private Amounts free = Amounts.NONE;
    private List<Reservation> reservations = List.of();

    /** Where it stands among its like; null for a ghost. */
    private @Nullable NodeBucket bucket;

    private int slot;

    /** It is among {@code reserving} while something stands on it. */
    NodeUsage(String name, Set<NodeUsage> reserving) {
        this.name = name;
        this.withReservations = reserving;
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

    /** Allocatable − Allocated − Reserved; below 0 where the cluster itself has given more than there is. */
    public Amounts free() {
        return free;
    }

    /** The newest last. */
    public List<Reservation> reservations() {
        return reservations;
    }

    /** Neither a node nor a pod is known of it. */
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

    void moveTo(@Nullable NodeBucket place, int at) {
        bucket = place;
        slot = at;
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

    /** The scheduler could put such a pod here now. */
    public boolean fits(PodDemand demand) {
        return covers(demand.need()) && admits(demand.constraints());
    }

    /** The scheduler would not keep such a pod off, if there is room. */
    public boolean admits(NodeConstraints constraints) {
        return node != null && constraints.presentRefusal(node).isEmpty();
    }

    /** As {@link #covers}, if so much more were free. */
    public boolean coversWith(Amounts more, Amounts need) {
        return node != null && free.plus(more).covers(counted(need));
    }

    /**
     * The scheduler's resource fit. A node that does not say how many pods it takes, takes any number: real ones always
     * say it, and those written by hand seldom.
     */
    public boolean covers(Amounts need) {
        return node != null && free.covers(counted(need));
    }

    /** What of {@code need} is looked at here. */
    public Amounts counted(Amounts need) {
        return countsPods() ? need : need.only(name -> !name.equals(ResourceName.PODS));
    }

    boolean countsPods() {
        return node != null && node.allocatable().has(ResourceName.PODS);
    }

    /** What is reserved here goes beyond what there is. */
    public boolean isOvercommitted() {
        return node == null ? !reservations.isEmpty() : usesOvercommitted(reserved);
    }

    /** {@code amounts} take of something that is short here. */
    public boolean usesOvercommitted(Amounts amounts) {
        return node == null
                || amounts.anyMatch((name, value) ->
                        value > 0 && free.get(name) < 0 && (countsPods() || !name.equals(ResourceName.PODS)));
    }
}
