package dev.sluice.cluster.dra;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.dra.DevicePool.PooledDevice;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What DRA offers in the cluster: the resource names of the DeviceClasses of GPUs, and the devices of the
 * ResourceSlices.
 *
 * <p>The scheduler decides node by node and name by name: if a node has the name in its Allocatable, with more than 0,
 * its device plugin hands out the devices. Otherwise DRA does.
 */
public final class DeviceSupply {

    public static final DeviceSupply NONE = new DeviceSupply(DeviceClasses.NONE, DevicePools.NONE);

    private final DeviceClasses classes;
    private final DevicePools pools;
    private final Set<ResourceName> gpus;

    public DeviceSupply(DeviceClasses classes, DevicePools pools) {
        this.classes = classes;
        this.pools = pools;
        this.gpus = Set.copyOf(classes.resources().stream()
                .filter(name ->
                        classes.classOf(name).filter(DeviceClass::isOfGpus).isPresent())
                .toList());
    }

    public DeviceClasses classes() {
        return classes;
    }

    public DevicePools pools() {
        return pools;
    }

    /** Returns the resource names for which DRA hands out GPUs. */
    public Set<ResourceName> gpus() {
        return gpus;
    }

    /** Returns the class for requests of this name on this node; empty if DRA does not hand out the name there. */
    public Optional<DeviceClass> classOn(Node node, ResourceName name) {
        return node.allocatable().get(name) > 0 || !gpus.contains(name) ? Optional.empty() : classes.classOf(name);
    }

    /** Returns how many GPUs this node offers for each name that DRA hands out there, whoever uses them. */
    public Map<ResourceName, DeviceCount> offeredOn(Node node) {
        return freeOn(node, _ -> false);
    }

    /**
     * Returns how many GPUs are free on this node for each name that DRA hands out there. Names with none are left out.
     *
     * @param isAllocated whether a claim has the device
     */
    public Map<ResourceName, DeviceCount> freeOn(Node node, Predicate<DeviceId> isAllocated) {
        List<PooledDevice> devices = gpus.isEmpty() ? List.of() : pools.devicesOn(node);
        if (devices.isEmpty()) {
            return Map.of();
        }
        Map<ResourceName, DeviceCount> free = new TreeMap<>();
        DeviceAllocator allocator = new DeviceAllocator(devices, isAllocated);
        // A class has two names: the one that it maps, and the implicit one.
        Map<String, DeviceCount> byClass = new HashMap<>();
        for (ResourceName name : gpus) {
            classOn(node, name)
                    .map(each -> byClass.computeIfAbsent(each.name(), _ -> allocator.free(each)))
                    .filter(count -> count.most() > 0)
                    .ifPresent(count -> free.put(name, count));
        }
        return free;
    }
}
