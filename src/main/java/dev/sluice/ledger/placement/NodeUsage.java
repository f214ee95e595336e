package dev.sluice.ledger.placement;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The usage of one node: what bound pods take, and what reservations take. A ghost, a node that is known only by its
 * pods, has nothing free.
 */
public final class NodeUsage {

    private final String name;
    private final Set<NodeUsage> withReservations;
    private final DeviceTotals totals;
    private @Nullable Node node;
    private Amounts allocated = Amounts.NONE;
    private final AmountsByPriority allocatedByPriority = new AmountsByPriority();
    private Amounts reserved = Amounts.NONE;
    private Amounts free = Amounts.NONE;
    private List<Reservation> reservations = List.of();

    /** Null for a ghost. */
    private @Nullable NodeBucket bucket;

    private int slot;

    /** It is an element of {@code withReservations} while it has any, and in the totals while its node is known. */
    NodeUsage(String name, Set<NodeUsage> withReservations, DeviceTotals totals) {
        this.name = name;
        this.withReservations = withReservations;
        this.totals = totals;
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

    /**
     * Allocatable − Allocated − Reserved, where what the scheduler will take from pods of lower priority counts as
     * taken already; an amount is below 0 if the node is overcommitted.
     */
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
        if (node != null) {
            totals.subtract(this);
        }
        node = known;
        recount();
        if (node != null) {
            totals.add(this);
        }
    }

    public void allocate(Amounts requests, int priority) {
        change(requests, () -> {
            allocated = allocated.plus(requests);
            allocatedByPriority.add(priority, requests);
        });
    }

    public void deallocate(Amounts requests, int priority) {
        change(requests, () -> {
            allocated = allocated.minus(requests);
            allocatedByPriority.subtract(priority, requests);
        });
    }

    void reserve(Reservation reservation, int position) {
        change(reservation.need(), () -> {
            if (reservations.isEmpty()) {
                reservations = new ArrayList<>(1);
                withReservations.add(this);
            }
            reservations.add(position, reservation);
            reserved = reserved.plus(reservation.need());
        });
    }

    void release(Reservation reservation) {
        change(reservation.need(), () -> {
            reservations.remove(reservation);
            reserved = reservations.isEmpty() ? Amounts.NONE : reserved.minus(reservation.need());
            if (reservations.isEmpty()) {
                withReservations.remove(this);
            }
        });
    }

    /** Most pods take no devices, so that they change no total. */
    private void change(Amounts by, Runnable change) {
        boolean ofDevices = node != null && by.anyMatch((name, value) -> value != 0 && name.isExtended());
        if (ofDevices) {
            totals.subtract(this);
        }
        change.run();
        recount();
        if (ofDevices) {
            totals.add(this);
        }
    }

    private void recount() {
        Amounts left = notTaken();
        free = node != null && isPreemptedFor() ? left.plus(toBePreempted(node)) : left;
        if (bucket != null) {
            bucket.update(this);
        }
    }

    private Amounts notTaken() {
        return node == null ? Amounts.NONE : node.allocatable().minus(allocated).minus(reserved);
    }

    /** Whether a preemptor is placed here. */
    boolean isPreemptedFor() {
        for (Reservation reservation : reservations) {
            if (reservation.isPreemptor()) {
                return true;
            }
        }
        return false;
    }

    /** What bound pods of lower priority have to leave, so that there is room for the preemptors. */
    private Amounts toBePreempted(Node known) {
        Amounts needed = Amounts.NONE;
        int highest = Integer.MIN_VALUE;
        for (Reservation reservation : reservations) {
            if (reservation.isPreemptor()) {
                needed = needed.plus(reservation.need());
                highest = Math.max(highest, reservation.demand().priority().value());
            }
        }
        Amounts[] victims = {Amounts.NONE};
        Amounts lower = allocatedByPriority.below(highest);
        needed.forEach((name, amount) -> {
            long missing = amount + allocated.get(name) - known.allocatable().get(name);
            long lacking = Math.min(missing, lower.get(name));
            if (amount > 0 && lacking > 0) {
                victims[0] = victims[0].plus(Amounts.of(name, lacking));
            }
        });
        return victims[0];
    }

    /**
     * What a pod of this priority finds if it preempts all pods of lower priority; below 0 if there are too many
     * others.
     */
    Amounts freeFor(int priority) {
        Amounts left = notTaken().plus(allocatedByPriority.below(priority));
        for (Reservation reservation : reservations) {
            if (reservation.demand().priority().value() < priority) {
                left = left.plus(reservation.need());
            }
        }
        return left;
    }

    /** As {@link #covers}, for a pod that preempts all pods of lower priority. */
    boolean coversFor(int priority, Amounts need) {
        return node != null && freeFor(priority).covers(counted(need));
    }

    /** Whether such a pod fits once the scheduler has preempted others for it. */
    boolean fitsByPreemption(PodDemand demand) {
        return demand.priority().preempts()
                && coversFor(demand.priority().value(), demand.need())
                && admits(demand.constraints());
    }

    /** Whether a preemptor that is placed here still has room beside the pods that it cannot preempt. */
    boolean keeps(Reservation preemptor) {
        Amounts left = freeFor(preemptor.demand().priority().value());
        return node != null
                && !preemptor
                        .need()
                        .anyMatch((name, value) ->
                                value > 0 && left.get(name) < 0 && (countsPods() || !name.equals(ResourceName.PODS)));
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

    /** Whether the node is known and names a device, also one of which it has 0. */
    boolean hasDevices() {
        return node != null && (namesDevice(node.allocatable()) || namesDevice(node.capacity()));
    }

    private static boolean namesDevice(Amounts amounts) {
        return amounts.anyMatch((name, _) -> name.isExtended());
    }

    /** Tells the usage of each device that the node names in its capacity or Allocatable; nothing of a ghost. */
    void forEachDevice(BiConsumer<ResourceName, DeviceUsage> action) {
        if (node == null) {
            return;
        }
        Amounts allocatable = node.allocatable();
        allocatable.forEach((name, _) -> tell(name, action));
        node.capacity().forEach((name, _) -> {
            if (!allocatable.has(name)) {
                tell(name, action);
            }
        });
    }

    private void tell(ResourceName name, BiConsumer<ResourceName, DeviceUsage> action) {
        if (node != null && name.isExtended()) {
            action.accept(
                    name,
                    new DeviceUsage(
                            1,
                            node.allocatable().get(name),
                            allocated.get(name),
                            reserved.get(name),
                            Math.max(0, free.get(name))));
        }
    }
}
