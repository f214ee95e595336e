package dev.sluice.ledger.placement;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeExtendedResources;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the usage of one node: the requests of its bound pods and of its reservations. A node that is known only
 * because pods are bound to it is called a ghost. A ghost has no free resources.
 */
public final class PlacementNodeUsage {

    private final String name;
    private final Set<PlacementNodeUsage> withReservations;
    private final PlacementDeviceTotals totals;
    private final PlacementClaimedRoom claimedRoom;
    private @Nullable Node node;
    private Amounts allocated = Amounts.NONE;
    private final PlacementAmountsByPriority allocatedByPriority = new PlacementAmountsByPriority();
    private Amounts reserved = Amounts.NONE;
    private Amounts free = Amounts.NONE;
    /** The DRA devices of the node that are in use or free. It is null if DRA provides no devices there. */
    private DraState.@Nullable DeviceRoom byClaims;

    private List<PlacementReservation> reservations = List.of();

    /** The bucket (a group of like nodes) that contains the node; null for a node that is known only from its pods. */
    private @Nullable PlacementNodeBucket bucket;

    private int slot;

    /**
     * @param withReservations the set to which this node adds itself while it has reservations
     * @param totals the sums of devices over all known nodes; this object adds its amounts to them while its node is
     *     known
     * @param claimedRoom the state of DRA
     */
    PlacementNodeUsage(
            String name,
            Set<PlacementNodeUsage> withReservations,
            PlacementDeviceTotals totals,
            PlacementClaimedRoom claimedRoom) {
        this.name = name;
        this.withReservations = withReservations;
        this.totals = totals;
        this.claimedRoom = claimedRoom;
    }

    public String name() {
        return name;
    }

    @Nullable
    public Node node() {
        return node;
    }

    /** Returns the requests of the bound pods. */
    public Amounts allocated() {
        return allocated;
    }

    /**
     * Returns the amounts in use: the requests of the bound pods and, for DRA devices, the devices that ResourceClaims
     * have allocated. Requests do not show all devices, because users can create ResourceClaims for their pods.
     */
    public Amounts inUse() {
        return byClaims == null ? allocated : plain(allocated).plus(byClaims.inUse());
    }

    public Amounts reserved() {
        return reserved;
    }

    /**
     * Returns the Available amounts: Allocatable − Allocated − Reserved. Amounts that the scheduler will free by
     * preemption for a reservation on this node are added. An amount is below 0 if the node is overcommitted.
     */
    public Amounts free() {
        return free;
    }

    /** Returns the reservations on this node, newest last. */
    public List<PlacementReservation> reservations() {
        return reservations;
    }

    /**
     * Returns true if this object can be removed: the node is not known, and it has neither bound pods nor
     * reservations.
     */
    boolean isUnused() {
        return node == null && reservations.isEmpty() && allocated.isZero();
    }

    @Nullable
    public PlacementNodeBucket bucket() {
        return bucket;
    }

    int slot() {
        return slot;
    }

    void moveTo(@Nullable PlacementNodeBucket other, int otherSlot) {
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

    void reserve(PlacementReservation reservation, int position) {
        change(reservation.need(), () -> {
            if (reservations.isEmpty()) {
                reservations = new ArrayList<>(1);
                withReservations.add(this);
            }
            reservations.add(position, reservation);
            reserved = reserved.plus(reservation.need());
        });
    }

    void release(PlacementReservation reservation) {
        change(reservation.need(), () -> {
            reservations.remove(reservation);
            reserved = reservations.isEmpty() ? Amounts.NONE : reserved.minus(reservation.need());
            if (reservations.isEmpty()) {
                withReservations.remove(this);
            }
        });
    }

    /**
     * Runs {@code change}, which adds the amounts {@code by} to the usage, or subtracts them. If the amounts contain
     * devices, also updates the sums of devices over all nodes.
     */
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

    /** Computes the amounts again after the state of DRA has changed. */
    void claimsChanged() {
        change(node == null ? Amounts.NONE : node.byClaims().offered(), () -> {});
    }

    private void recount() {
        boolean isClaimed = node != null && !node.byClaims().equals(NodeExtendedResources.NONE);
        byClaims = node != null && isClaimed ? room(node) : null;
        Amounts left = notTaken();
        free = node != null && isPreemptedFor() ? left.plus(toBePreempted(node)) : left;
        if (bucket != null) {
            bucket.update(this);
        }
    }

    private DraState.DeviceRoom room(Node known) {
        return claimedRoom
                .state()
                .room(
                        known,
                        allocated,
                        reservations.stream().map(PlacementReservation::need).toList());
    }

    private Amounts notTaken() {
        if (node == null) {
            return Amounts.NONE;
        }
        Amounts left = node.allocatable().minus(allocated).minus(reserved);
        return byClaims == null ? left : left.only(name -> !isByClaims(name)).plus(byClaims.free());
    }

    private boolean isByClaims(ResourceName name) {
        return node != null && node.claims(name);
    }

    /**
     * Returns true if DRA provides devices on this node, and a pod fits there when devices of unknown state count as
     * free.
     */
    boolean mayFit(Amounts need, NodeConstraints constraints) {
        return byClaims != null
                && free.plus(byClaims.doubtful()).covers(counted(need))
                && fitsOneClaim(need)
                && admits(constraints);
    }

    /** Adds the DRA devices for which it is unknown how many of them are free on this node. */
    void addUncertain(Set<ResourceName> devices) {
        if (byClaims != null) {
            byClaims.doubtful().forEach((device, amount) -> {
                if (amount > 0) {
                    devices.add(device);
                }
            });
        }
    }

    /** Returns true if the scheduler has to preempt other pods for a reservation on this node. */
    boolean isPreemptedFor() {
        for (PlacementReservation reservation : reservations) {
            if (reservation.isPreemptor()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the amounts of the bound pods of lower priority that the scheduler must preempt to make room for the
     * reservations of preemptors on this node.
     */
    private Amounts toBePreempted(Node known) {
        Amounts needed = Amounts.NONE;
        int highest = Integer.MIN_VALUE;
        for (PlacementReservation reservation : reservations) {
            if (reservation.isPreemptor()) {
                needed = needed.plus(reservation.need());
                highest = Math.max(highest, reservation.demand().priority().value());
            }
        }
        Amounts[] victims = {Amounts.NONE};
        Amounts lower = allocatedByPriority.below(highest);
        needed.only(name -> !isByClaims(name)).forEach((name, amount) -> {
            long missing = Amounts.saturatedSum(
                    Amounts.saturatedSum(amount, allocated.get(name)),
                    -known.allocatable().get(name));
            long lacking = Math.min(missing, lower.get(name));
            if (amount > 0 && lacking > 0) {
                victims[0] = victims[0].plus(Amounts.of(name, lacking));
            }
        });
        return victims[0];
    }

    /**
     * Returns the amounts that are free for a pod of this priority after the preemption of all pods of lower priority.
     * An amount is below 0 if the remaining pods use more than the node has.
     */
    Amounts freeFor(int priority) {
        Amounts left = notTaken().plus(plain(allocatedByPriority.below(priority)));
        for (PlacementReservation reservation : reservations) {
            if (reservation.demand().priority().value() < priority) {
                left = left.plus(plain(reservation.need()));
            }
        }
        return left;
    }

    /**
     * Returns {@code amounts} without DRA devices. Preemption by the scheduler frees no DRA device, because the
     * ResourceClaim outlives the preempted pod.
     */
    private Amounts plain(Amounts amounts) {
        return byClaims == null ? amounts : amounts.only(name -> !isByClaims(name));
    }

    /** Returns true if {@code need} fits after all pods with a lower priority than {@code priority} are preempted. */
    boolean coversFor(int priority, Amounts need) {
        return coversForWith(priority, Amounts.NONE, need);
    }

    /**
     * Returns true if {@code need} fits after all pods with a lower priority than {@code priority} are preempted and
     * {@code more} becomes free.
     */
    public boolean coversForWith(int priority, Amounts more, Amounts need) {
        return fitsOneClaim(need) && freeFor(priority).plus(more).covers(counted(need));
    }

    /**
     * Returns true if a pod with this demand may preempt other pods and could then be bound to this node by the
     * scheduler.
     */
    boolean fitsByPreemption(PlacementDemand demand) {
        return demand.priority().preempts()
                && coversFor(demand.priority().value(), demand.need())
                && admits(demand.constraints());
    }

    /**
     * Returns true if the node still has enough capacity for this preemptor together with all pods that the preemptor
     * cannot preempt.
     */
    boolean keeps(PlacementReservation preemptor) {
        Amounts left = freeFor(preemptor.demand().priority().value());
        return node != null
                && !preemptor
                        .need()
                        .anyMatch((name, value) ->
                                value > 0 && left.get(name) < 0 && (countsPods() || !name.equals(ResourceName.PODS)));
    }

    /** Returns true if the scheduler could bind a pod with this demand to this node now. */
    public boolean fits(PlacementDemand demand) {
        return covers(demand.need()) && admits(demand.constraints());
    }

    /**
     * Returns true if the scheduler could bind a pod with these constraints to this node, provided that the node has
     * enough capacity.
     */
    public boolean admits(NodeConstraints constraints) {
        return node != null && constraints.presentRefusal(node).isEmpty();
    }

    /** Returns true if {@code need} fits on the node when {@code more} becomes free. */
    public boolean coversWith(Amounts more, Amounts need) {
        return fitsOneClaim(need) && free.plus(more).covers(counted(need));
    }

    /**
     * Returns true if {@code need} fits by the scheduler's rules for resources. If the Allocatable of the node does not
     * contain {@code pods}, the number of pods is not limited. Only nodes that were written by hand lack this field.
     */
    public boolean covers(Amounts need) {
        return fitsOneClaim(need) && free.covers(counted(need));
    }

    /** Returns true if the node is known, and one ResourceClaim can contain all DRA devices in {@code need}. */
    private boolean fitsOneClaim(Amounts need) {
        return node != null && (byClaims == null || node.byClaims().fitOneClaim(need));
    }

    /** Returns {@code need}, but without the resource {@code pods} if the node does not limit the number of pods. */
    public Amounts counted(Amounts need) {
        return countsPods() ? need : need.only(name -> !name.equals(ResourceName.PODS));
    }

    boolean countsPods() {
        return node != null && node.allocatable().has(ResourceName.PODS);
    }

    /**
     * Returns true if the node has too little of a reserved resource for its bound pods and its reservations together.
     */
    public boolean isOvercommitted() {
        return node == null ? !reservations.isEmpty() : usesOvercommitted(reserved);
    }

    /** Returns true if {@code amounts} contains a resource that is overcommitted on this node. */
    public boolean usesOvercommitted(Amounts amounts) {
        return node == null
                || amounts.anyMatch((name, value) ->
                        value > 0 && free.get(name) < 0 && (countsPods() || !name.equals(ResourceName.PODS)));
    }

    /** Returns true if the node is known and its capacity or Allocatable contains a device, even with the amount 0. */
    boolean hasDevices() {
        return node != null && (namesDevice(node.allocatable()) || namesDevice(node.capacity()));
    }

    private static boolean namesDevice(Amounts amounts) {
        return amounts.anyMatch((name, _) -> name.isExtended());
    }

    /**
     * Calls {@code action} with the usage of each device in the node's capacity or Allocatable. A node that is known
     * only from its pods has no devices.
     */
    void forEachDevice(BiConsumer<ResourceName, PlacementDeviceUsage> action) {
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

    private void tell(ResourceName name, BiConsumer<ResourceName, PlacementDeviceUsage> action) {
        if (name.isExtended()) {
            action.accept(name, usageOf(name));
        }
    }

    /** Returns true if it is unknown how many of {@code device} are free on this node. */
    boolean isFreeUncertain(ResourceName device) {
        return byClaims != null && byClaims.doubtful().get(device) > 0;
    }

    /** Returns the usage of one device on this node. The node itself must be known, and not only its pods. */
    PlacementDeviceUsage usageOf(ResourceName device) {
        return new PlacementDeviceUsage(
                1,
                Objects.requireNonNull(node, "a ghost has no devices")
                        .allocatable()
                        .get(device),
                inUse().get(device),
                reserved.get(device),
                Math.max(0, free.get(device)));
    }
}
