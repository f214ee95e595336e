package dev.sluice.cluster.dra;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.dra.DevicePool.PooledDevice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The pools of all ResourceSlices. Pools whose slices name their nodes are indexed by node. */
public final class DevicePools {

    public static final DevicePools NONE = new DevicePools(Map.of());

    private static final Comparator<DevicePool> SCHEDULER_ORDER =
            Comparator.comparing(DevicePool::isBoundLate).thenComparing(DevicePool::id);

    private final Map<PoolId, KnownPool> known;
    private final List<DevicePool> pools;
    private final Map<String, List<DevicePool>> ofNode = new HashMap<>();
    private final List<DevicePool> ofSeveral = new ArrayList<>();
    private final List<DevicePool> faulty;

    private DevicePools(Map<PoolId, KnownPool> known) {
        this.known = known;
        this.pools = known.values().stream().map(KnownPool::pool).toList();
        this.faulty = pools.stream().filter(pool -> !pool.isUsable()).toList();
        for (DevicePool pool : pools) {
            if (pool.isUsable()) {
                List<String> named = namedNodes(pool);
                if (named.isEmpty()) {
                    ofSeveral.add(pool);
                }
                named.forEach(node ->
                        ofNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(pool));
            }
        }
    }

    public static DevicePools of(Collection<ResourceSlice> slices) {
        return of(slices, NONE);
    }

    /**
     * Creates the pools of these slices. If the slices of a pool are the same as in {@code before}, the object of that
     * pool is reused.
     */
    public static DevicePools of(Collection<ResourceSlice> slices, DevicePools before) {
        Map<PoolId, List<ResourceSlice>> byPool = new TreeMap<>();
        slices.forEach(slice ->
                byPool.computeIfAbsent(slice.poolId(), _ -> new ArrayList<>()).add(slice));
        Map<PoolId, KnownPool> known = new TreeMap<>();
        byPool.forEach((id, own) -> {
            List<ResourceSlice> sorted = own.stream()
                    .sorted(Comparator.comparing(ResourceSlice::name))
                    .toList();
            KnownPool same = before.known.get(id);
            known.put(
                    id,
                    same != null && same.slices().equals(sorted)
                            ? same
                            : new KnownPool(sorted, DevicePool.of(id, sorted)));
        });
        return new DevicePools(known);
    }

    /** A pool with its slices of all generations. */
    private record KnownPool(List<ResourceSlice> slices, DevicePool pool) {}

    /**
     * Returns the nodes of the pool, if every slice with devices names its node. Returns empty if a slice selects its
     * nodes in another way, for example by labels.
     */
    private static List<String> namedNodes(DevicePool pool) {
        List<ResourceSlice> withDevices = pool.slices().stream()
                .filter(slice -> !slice.devices().isEmpty())
                .toList();
        List<String> names = withDevices.stream()
                .flatMap(slice -> slice.nodes() instanceof ResourceSliceNodes.NamedNode(String name)
                        ? Stream.of(name)
                        : Stream.of())
                .toList();
        return names.size() == withDevices.size() ? names.stream().distinct().toList() : List.of();
    }

    /** Returns all pools, sorted by driver and name, including the pools that are not {@link DevicePool#isUsable}. */
    public List<DevicePool> all() {
        return pools;
    }

    public boolean isEmpty() {
        return pools.isEmpty();
    }

    /** Returns the pools that differ from the pools in {@code before}. */
    Set<PoolId> changedSince(DevicePools before) {
        Set<PoolId> changed = new HashSet<>();
        known.forEach((id, pool) -> {
            if (!pool.equals(before.known.get(id))) {
                changed.add(id);
            }
        });
        before.known.keySet().stream().filter(id -> !known.containsKey(id)).forEach(changed::add);
        return changed;
    }

    /** Returns true if any of these pools has a slice whose devices can be used on this node. */
    boolean anyReaches(Set<PoolId> ids, Node node) {
        return ids.stream()
                .map(known::get)
                .anyMatch(pool -> pool != null
                        && pool.slices().stream()
                                .anyMatch(slice -> slice.nodes().includes(node)));
    }

    /** Returns the pools that have slices for this node, but that the scheduler cannot use because of a fault. */
    List<DevicePool> faultyOn(Node node) {
        return faulty.stream()
                .filter(pool ->
                        pool.slices().stream().anyMatch(slice -> slice.nodes().includes(node)))
                .toList();
    }

    /**
     * Returns the devices that can be used on this node, in the order of the scheduler. Tainted devices are included.
     */
    public List<PooledDevice> devicesOn(Node node) {
        List<DevicePool> named = ofNode.getOrDefault(node.name(), List.of());
        if (named.isEmpty() && ofSeveral.isEmpty()) {
            return List.of();
        }
        List<DevicePool> relevant = new ArrayList<>(named);
        relevant.addAll(ofSeveral);
        relevant.sort(SCHEDULER_ORDER);
        return relevant.stream().flatMap(pool -> pool.devicesOn(node).stream()).toList();
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof DevicePools that && known.equals(that.known));
    }

    @Override
    public int hashCode() {
        return known.hashCode();
    }
}
