package dev.sluice.cluster.dra;

import dev.sluice.cluster.ClusterExtendedResources;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.dra.DevicePool.PooledDevice;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The GPUs that DRA provides in the cluster: the resource names of the DeviceClasses for GPUs, and the devices of the
 * ResourceSlices.
 *
 * <p>For each node and each resource name, the scheduler chooses between the device plugin and DRA. If the node has the
 * name in its Allocatable with an amount above 0, the device plugin provides the devices. Otherwise DRA provides them.
 */
public final class DeviceSupply {

    /** The supply of a cluster without DRA. */
    public static final DeviceSupply NONE = new DeviceSupply(DeviceClasses.NONE, DevicePools.NONE, Knowledge.ALL);

    /** The supply if the gateway may not read DeviceClasses, so that DRA may provide any resource. */
    public static final DeviceSupply UNKNOWN =
            new DeviceSupply(DeviceClasses.NONE, DevicePools.NONE, Knowledge.NOTHING);

    /** The objects that the gateway can read. */
    public enum Knowledge {
        /** The gateway can read the DeviceClasses and the ResourceSlices. */
        ALL,
        /**
         * The gateway can read the DeviceClasses, but not all ResourceSlices. Each node may then have any number of
         * devices.
         */
        CLASSES,
        /** The gateway cannot read some or all of the DeviceClasses. DRA may then provide any resource. */
        NOTHING
    }

    private final DeviceClasses classes;
    private final DevicePools pools;
    private final Knowledge knowledge;
    /**
     * The resource names of GPUs, sorted. If there are too many DeviceClasses to evaluate, every node leaves out the
     * same ones.
     */
    private final SequencedSet<ResourceName> gpus;

    private final ClusterExtendedResources names;

    public DeviceSupply(DeviceClasses classes, DevicePools pools, Knowledge knowledge) {
        this.classes = classes;
        this.pools = pools;
        this.knowledge = knowledge;
        Map<ResourceName, String> byName = new HashMap<>();
        for (ResourceName name : classes.resources()) {
            classes.classOf(name)
                    .filter(DeviceClass::isOfGpus)
                    .ifPresent(deviceClass -> byName.put(name, deviceClass.name()));
        }
        this.gpus = Collections.unmodifiableSequencedSet(new TreeSet<>(byName.keySet()));
        boolean hasDevices = pools.all().stream()
                .anyMatch(pool -> GpuVendor.isDriver(pool.id().driver()));
        this.names = new ClusterExtendedResources(byName, hasDevices, knowledge == Knowledge.NOTHING);
    }

    /** Returns the resource names for which DRA provides GPUs in the cluster. */
    public ClusterExtendedResources names() {
        return names;
    }

    /**
     * Returns a copy of the node whose resources also contain the GPUs that DRA provides there. GPUs in use are
     * included.
     */
    public Node onto(Node node) {
        SortedMap<ResourceName, Long> offered = new TreeMap<>();
        SortedMap<ResourceName, Long> doubtful = new TreeMap<>();
        offeredOn(node).forEach((name, count) -> {
            if (count.least() > 0) {
                offered.put(name, count.least());
            }
            if (!count.isExact()) {
                doubtful.put(name, count.most() - count.least());
            }
        });
        return node.withClaims(Amounts.ofUnits(offered), Amounts.ofUnits(doubtful));
    }

    /** Returns a predicate that is true for nodes whose devices may have changed since {@code before}. */
    public Predicate<Node> changedSince(DeviceSupply before) {
        if (knowledge != before.knowledge || !classes.equals(before.classes)) {
            return _ -> true;
        }
        Set<PoolId> changed = pools.changedSince(before.pools);
        return node -> pools.anyReaches(changed, node) || before.pools.anyReaches(changed, node);
    }

    public DeviceClasses classes() {
        return classes;
    }

    public DevicePools pools() {
        return pools;
    }

    /** Returns the resource names for which DRA provides GPUs. */
    public Set<ResourceName> gpus() {
        return gpus;
    }

    /**
     * Returns the DeviceClass whose devices the scheduler allocates for requests of this resource on this node. Returns
     * empty if DRA does not provide the resource there.
     */
    public Optional<DeviceClass> classOn(Node node, ResourceName name) {
        return node.withoutClaims().allocatable().get(name) > 0 || !gpus.contains(name)
                ? Optional.empty()
                : classes.classOf(name);
    }

    /** Returns how many GPUs DRA provides on this node, by resource name. GPUs in use are included. */
    public Map<ResourceName, DeviceCount> offeredOn(Node node) {
        return freeOn(node, DeviceClaims.NONE, List.of());
    }

    /**
     * Returns how many GPUs of DRA are free on this node, by resource name. Names without free GPUs are left out.
     *
     * @param claims the devices that are allocated to ResourceClaims
     * @param taken the requests of pods on this node whose ResourceClaims are not known yet, in the order of allocation
     */
    public Map<ResourceName, DeviceCount> freeOn(Node node, DeviceClaims claims, List<Amounts> taken) {
        if (gpus.isEmpty()) {
            return Map.of();
        }
        List<PooledDevice> devices = pools.devicesOn(node);
        List<DevicePool> faulty = pools.faultyOn(node);
        if (devices.isEmpty() && faulty.isEmpty() && knowledge == Knowledge.ALL) {
            return Map.of();
        }
        DeviceAllocator allocator = new DeviceAllocator(devices, claims::has);
        long notTaken = taken.stream()
                .mapToLong(amounts -> take(amounts, node, allocator))
                .sum();
        // A DeviceClass can have two resource names: the name in its spec, and the name that is derived from its name.
        // Its devices are counted only once.
        Map<String, DeviceCount> byClass = new HashMap<>();
        Map<ResourceName, DeviceCount> free = new TreeMap<>();
        Node own = node.withoutClaims();
        for (ResourceName name : gpus) {
            classOn(own, name)
                    .map(each -> byClass.computeIfAbsent(each.name(), _ -> free(each, allocator, faulty)))
                    .map(count -> claims.isKnown() ? count.less(notTaken) : new DeviceCount(0, count.most()))
                    .filter(count -> count.most() > 0)
                    .ifPresent(count -> free.put(name, count));
        }
        return free;
    }

    /**
     * Allocates the devices that the scheduler would allocate for {@code amounts}. Returns how many devices were not
     * allocated, because there are too few, or because it is uncertain which devices the scheduler would choose.
     */
    private long take(Amounts amounts, Node node, DeviceAllocator allocator) {
        long[] uncertain = {0};
        amounts.forEach((name, amount) -> {
            Optional<DeviceClass> wanted = amount > 0 ? classOn(node, name) : Optional.empty();
            if (wanted.isPresent() && allocator.take(wanted.get(), amount).isEmpty()) {
                uncertain[0] = Amounts.saturatedSum(uncertain[0], amount);
            }
        });
        return uncertain[0];
    }

    /**
     * Returns how many devices of the class are free. The count has no upper limit if a pool with a fault may have
     * devices of the class, because the fault may end at any time.
     */
    private DeviceCount free(DeviceClass wanted, DeviceAllocator allocator, List<DevicePool> faulty) {
        DeviceCount known = allocator.free(wanted);
        boolean isExact = knowledge == Knowledge.ALL
                && faulty.stream().noneMatch(pool -> wanted.mayUse(pool.id().driver()));
        return isExact ? known : new DeviceCount(known.least(), Long.MAX_VALUE);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof DeviceSupply that
                        && knowledge.equals(that.knowledge)
                        && classes.equals(that.classes)
                        && pools.equals(that.pools));
    }

    @Override
    public int hashCode() {
        return classes.hashCode();
    }
}
