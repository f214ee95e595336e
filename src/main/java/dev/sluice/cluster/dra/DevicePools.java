package dev.sluice.cluster.dra;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.dra.DevicePool.PooledDevice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All ResourceSlices, put together to pools. A slice that names one node is found by the name of the node, so that the
 * devices of a node are found without a look at all slices.
 */
public final class DevicePools {

    public static final DevicePools NONE = of(List.of());

    private static final Comparator<DevicePool> SCHEDULER_ORDER =
            Comparator.comparing(DevicePool::isBoundLate).thenComparing(DevicePool::id);

    private final List<DevicePool> pools;
    private final Map<String, List<DevicePool>> ofNode = new HashMap<>();
    private final List<DevicePool> ofSeveral = new ArrayList<>();

    private DevicePools(List<DevicePool> pools) {
        this.pools = pools;
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
        Map<PoolId, List<ResourceSlice>> byPool = new TreeMap<>();
        slices.forEach(slice ->
                byPool.computeIfAbsent(slice.poolId(), _ -> new ArrayList<>()).add(slice));
        List<DevicePool> pools = new ArrayList<>(byPool.size());
        byPool.forEach((id, known) -> pools.add(DevicePool.of(id, known)));
        return new DevicePools(pools);
    }

    /** Returns the nodes that the slices name; empty if a slice with devices says it in another way. */
    private static List<String> namedNodes(DevicePool pool) {
        List<ResourceSlice> withDevices = pool.slices().stream()
                .filter(slice -> !slice.devices().isEmpty())
                .toList();
        List<String> names = withDevices.stream()
                .flatMap(slice ->
                        slice.nodes() instanceof NodeChoice.NamedNode(String name) ? Stream.of(name) : Stream.of())
                .toList();
        return names.size() == withDevices.size() ? names.stream().distinct().toList() : List.of();
    }

    /** Returns all pools by driver and name, also those from which the scheduler takes nothing. */
    public List<DevicePool> all() {
        return pools;
    }

    public boolean isEmpty() {
        return pools.isEmpty();
    }

    /** Returns the devices that can be used on this node, tainted ones included, in the order of the scheduler. */
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
}
