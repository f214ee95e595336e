package dev.sluice.cluster.dra;

import dev.sluice.cluster.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A pool of devices that a DRA driver publishes, in its newest generation.
 *
 * @param slices the slices sorted by name, which is the order of allocation
 * @param counters the total amounts of the counters that the devices share
 * @param fault the reason why the scheduler allocates no devices of this pool, as text; empty if there is none
 */
public record DevicePool(PoolId id, List<ResourceSlice> slices, Map<CounterId, Long> counters, String fault) {

    /** Identifies a counter in a pool. */
    public record CounterId(String set, String counter) {}

    /** A device of a pool. */
    public record PooledDevice(DevicePool pool, Device device) {
        public DeviceId id() {
            return new DeviceId(pool.id.driver(), pool.id.pool(), device.name());
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof PooledDevice that && id().equals(that.id());
        }

        @Override
        public int hashCode() {
            return id().hashCode();
        }
    }

    public DevicePool {
        slices = List.copyOf(slices);
        counters = Map.copyOf(counters);
    }

    /** Creates a pool from all known slices of the pool. */
    static DevicePool of(PoolId id, List<ResourceSlice> known) {
        long newest = known.stream().mapToLong(ResourceSlice::generation).max().orElse(0);
        List<ResourceSlice> slices = known.stream()
                .filter(slice -> slice.generation() == newest)
                .sorted(Comparator.comparing(ResourceSlice::name))
                .toList();
        Map<CounterId, Long> counters = new HashMap<>();
        String fault = sliceFault(slices)
                .or(() -> nameFault(slices))
                .or(() -> counterFault(slices, counters))
                .orElse("");
        return new DevicePool(id, slices, counters, fault);
    }

    private static Optional<String> sliceFault(List<ResourceSlice> slices) {
        long wanted = slices.getFirst().sliceCount();
        if (wanted < 1) {
            return Optional.of("its slices do not say how many there are");
        }
        return slices.size() == wanted
                ? Optional.empty()
                : Optional.of("it has " + slices.size() + " of " + wanted + " slices");
    }

    private static Optional<String> nameFault(List<ResourceSlice> slices) {
        Set<String> names = new HashSet<>();
        return slices.stream()
                .flatMap(slice -> slice.devices().stream())
                .map(Device::name)
                .filter(name -> !names.add(name))
                .findFirst()
                .map(name -> "two of its devices have the name " + name);
    }

    private static Optional<String> counterFault(List<ResourceSlice> slices, Map<CounterId, Long> counters) {
        Set<String> sets = new HashSet<>();
        for (ResourceSlice slice : slices) {
            for (DeviceCounterSet set : slice.counters()) {
                if (!sets.add(set.name())) {
                    return Optional.of("two of its counter sets have the name " + set.name());
                }
                set.counters().forEach((name, amount) -> counters.put(new CounterId(set.name(), name), amount));
            }
        }
        return slices.stream()
                .flatMap(slice -> slice.devices().stream())
                .flatMap(device -> device.consumes().stream())
                .flatMap(set -> set.counters().keySet().stream().map(name -> new CounterId(set.name(), name)))
                .filter(used -> !counters.containsKey(used))
                .findFirst()
                .map(used ->
                        "a device uses the counter " + used.counter() + " of " + used.set() + ", which is missing");
    }

    /** Returns true if the scheduler can allocate devices of this pool, because the pool has no fault. */
    public boolean isUsable() {
        return fault.isEmpty();
    }

    /** Returns all devices of the pool, on all nodes. */
    public List<PooledDevice> devices() {
        return slices.stream()
                .flatMap(slice -> slice.devices().stream())
                .map(device -> new PooledDevice(this, device))
                .toList();
    }

    /**
     * Returns the devices that can be used on this node, in the order of the scheduler. Tainted devices are included.
     */
    public List<PooledDevice> devicesOn(Node node) {
        List<PooledDevice> found = new ArrayList<>();
        for (ResourceSlice slice : slices) {
            boolean byDevice = slice.nodes() instanceof ResourceSliceNodes.ByDevice;
            if (slice.nodes().includes(node)) {
                slice.devices().stream()
                        .filter(device -> !byDevice || device.nodes().includes(node))
                        .forEach(device -> found.add(new PooledDevice(this, device)));
            }
        }
        return found;
    }

    /** Returns true if a device of this pool has binding conditions. */
    boolean isBoundLate() {
        return slices.stream().flatMap(slice -> slice.devices().stream()).anyMatch(Device::boundLate);
    }

    @Override
    public String toString() {
        if (id.pool().isEmpty()) {
            return id.driver().isEmpty() ? "a pool without a name" : "a pool of " + id.driver() + " without a name";
        }
        return "pool " + id;
    }
}
