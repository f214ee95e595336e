package dev.sluice.cluster.dra;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.dra.DevicePool.PooledDevice;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The known state of DRA in a cluster.
 *
 * @param supply the devices that DRA provides
 * @param claims the devices that are allocated to ResourceClaims
 */
public record DraState(DeviceSupply supply, DeviceClaims claims) {

    /** The state of a cluster without DRA. */
    public static final DraState NONE = new DraState(DeviceSupply.NONE, DeviceClaims.NONE);

    /** Returns a predicate that is true for nodes whose free devices may have changed since {@code before}. */
    public Predicate<Node> changedSince(DraState before) {
        Predicate<Node> bySupply = supply.equals(before.supply) ? _ -> false : supply.changedSince(before.supply);
        if (claims.isKnown() != before.claims.isKnown()) {
            return _ -> true;
        }
        Set<PoolId> changed = claims.changedSince(before.claims);
        return node -> bySupply.test(node) || supply.pools().anyReaches(changed, node);
    }

    /**
     * The DRA devices of a node by resource name.
     *
     * @param inUse the devices that are allocated to ResourceClaims; if the gateway cannot read ResourceClaims, the
     *     requests of bound pods
     * @param free the devices that are certainly free and not reserved
     * @param doubtful the devices that may or may not be free; they are not part of {@code free}
     */
    public record DeviceRoom(Amounts inUse, Amounts free, Amounts doubtful) {}

    /**
     * Returns which DRA devices of a node are in use, and which are free.
     *
     * @param byPods the requests of the bound pods of the node
     * @param reserved the resources that are reserved for each pod that is not bound yet, in the order of the
     *     reservations
     */
    public DeviceRoom room(Node node, Amounts byPods, List<Amounts> reserved) {
        List<Amounts> taken = new ArrayList<>(reserved.size() + 1);
        taken.add(withoutClaimYet(node, byPods));
        taken.addAll(reserved);
        SortedMap<ResourceName, Long> free = new TreeMap<>();
        SortedMap<ResourceName, Long> doubtful = new TreeMap<>();
        supply.freeOn(node, claims, taken).forEach((name, count) -> {
            free.put(name, count.least());
            doubtful.put(name, count.most() - count.least());
        });
        return new DeviceRoom(inUse(node, byPods), Amounts.ofUnits(free), Amounts.ofUnits(doubtful));
    }

    /**
     * The effect of a ResourceClaim on the free devices of a node.
     *
     * @param devices the number of devices that are no longer free because of the claim, by resource name. A claim can
     *     reduce the free devices of several names, because devices can share counters
     */
    public record ClaimedShare(ResourceClaim claim, Amounts devices) {}

    /** Returns the claims to which devices of this node are allocated, with the effect of each claim on this node. */
    public List<ClaimedShare> claimedShares(Node node) {
        Set<ResourceClaim> holding = new LinkedHashSet<>();
        for (PooledDevice each : supply.pools().devicesOn(node)) {
            holding.addAll(claims.holding(each.id()));
            if (!each.pool().counters().isEmpty()) {
                each.pool().devices().forEach(other -> holding.addAll(claims.holding(other.id())));
            }
        }
        List<ClaimedShare> uses = new ArrayList<>();
        List<ResourceClaim> counted = new ArrayList<>();
        Amounts before = unused(node, DeviceClaims.NONE, List.of());
        for (ResourceClaim claim : holding) {
            counted.add(claim);
            Amounts after = unused(node, DeviceClaims.of(counted), List.of());
            uses.add(new ClaimedShare(claim, before.minus(after)));
            before = after;
        }
        return uses;
    }

    private Amounts inUse(Node node, Amounts byPods) {
        if (!claims.isKnown()) {
            return byPods.only(node::claims);
        }
        return node.byClaims().offered().minus(unused(node, claims, List.of(withoutClaimYet(node, byPods))));
    }

    private Amounts unused(Node node, DeviceClaims allocated, List<Amounts> taken) {
        SortedMap<ResourceName, Long> unused = new TreeMap<>();
        supply.freeOn(node, allocated, taken).forEach((name, count) -> unused.put(name, count.least()));
        return Amounts.ofUnits(unused);
    }

    /**
     * Returns the requests of bound pods whose ResourceClaims the gateway does not know yet. The scheduler creates a
     * ResourceClaim before it binds the pod, but the watch of pods may be faster than the watch of ResourceClaims.
     */
    private Amounts withoutClaimYet(Node node, Amounts byPods) {
        Amounts asked = byPods.only(node::claims);
        long seen = asked.isZero() || !claims.isKnown()
                ? 0
                : supply.pools().devicesOn(node).stream()
                        .filter(device -> claims.isByName(device.id()))
                        .count();
        return asked.within(0, Math.max(0, asked.sum() - seen));
    }
}
