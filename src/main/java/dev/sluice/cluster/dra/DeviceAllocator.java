package dev.sluice.cluster.dra;

import dev.sluice.cluster.dra.DevicePool.CounterId;
import dev.sluice.cluster.dra.DevicePool.PooledDevice;
import dev.sluice.cluster.quantity.Amounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Allocates devices of one node in the order of kube-scheduler: pool by pool, slice by slice, device by device. It
 * searches for the first combination for which the shared counters are sufficient ({@code allocator_incubating.go}).
 *
 * <p>The search is limited. If the limit is reached, or if Sluice cannot evaluate a selector, the results are not
 * exact.
 */
public final class DeviceAllocator {

    /**
     * The maximum number of devices that one search examines. A search without backtracking examines each device once.
     */
    static final int MOST_STEPS = 10_000;

    /**
     * The maximum number of comparisons of a device with a DeviceClass or one of its selectors. A node with 128 devices
     * and ten classes of three selectors needs about 5,000 comparisons.
     */
    static final long MOST_COMPARISONS = 200_000;

    /** The maximum number of devices that are chosen together, which is the depth of the search. */
    private static final int MOST_CHOSEN = 512;

    private final List<PooledDevice> devices;
    /**
     * For each device, the index of its attributes and capacities in {@link #inputs}. Equal devices share one input, so
     * the selectors of a class are evaluated only once for them.
     */
    private final int[] inputOf;

    private final List<DeviceSelectorInput> inputs;
    private final Set<DeviceId> taken = new HashSet<>();
    private final Map<PoolId, Map<CounterId, Long>> counters = new HashMap<>();
    /**
     * The pools whose allocated devices together use more of a shared counter than the pool has. In these pools, the
     * scheduler allocates no further devices that use counters.
     */
    private final Set<PoolId> overdrawn = new HashSet<>();

    private long comparisons;

    /**
     * Creates an allocator for one node.
     *
     * @param devices the devices of the node in the order of the scheduler
     * @param isAllocated a function that returns true if the device is allocated to a claim; it is also called for
     *     devices of the same pools on other nodes
     */
    public DeviceAllocator(List<PooledDevice> devices, Predicate<DeviceId> isAllocated) {
        this.devices = List.copyOf(devices);
        this.inputOf = new int[devices.size()];
        Map<DeviceSelectorInput, Integer> places = new LinkedHashMap<>();
        for (int i = 0; i < inputOf.length; i++) {
            PooledDevice each = devices.get(i);
            DeviceSelectorInput input = DeviceSelectorInput.of(each.pool().id().driver(), each.device());
            inputOf[i] = places.computeIfAbsent(input, _ -> places.size());
        }
        this.inputs = List.copyOf(places.keySet());
        for (PooledDevice each : devices) {
            if (!each.pool().counters().isEmpty()
                    && !counters.containsKey(each.pool().id())) {
                counters.put(each.pool().id(), new HashMap<>(each.pool().counters()));
                each.pool().devices().stream()
                        .filter(known -> isAllocated.test(known.id()))
                        .forEach(known -> consume(known, 1));
            }
            if (isOverdrawn(each.pool().id())) {
                overdrawn.add(each.pool().id());
            }
            if (isAllocated.test(each.id())) {
                taken.add(each.id());
            }
        }
    }

    /**
     * Returns how many devices of the class are free, provided that no devices of other classes are allocated first.
     * The number is {@link DeviceCount#UNKNOWN} if there are too many comparisons.
     */
    public DeviceCount free(DeviceClass wanted) {
        if (!mayCompare(wanted)) {
            return DeviceCount.UNKNOWN;
        }
        OpenDevices open = openFor(wanted);
        Subset largest = new Subset(open.reliable());
        long least = largest.size();
        long others = Amounts.saturatedSum(open.certain.size() - open.before, open.doubtful);
        long most = largest.isExact() ? least : open.before;
        return new DeviceCount(least, Amounts.saturatedSum(most, others));
    }

    /**
     * Allocates {@code count} devices of the class in the order of the scheduler, and returns them. If there are too
     * few devices, or if it is uncertain which devices the scheduler would allocate, allocates nothing and returns
     * empty.
     */
    public Optional<List<DeviceId>> take(DeviceClass wanted, long count) {
        if (!mayCompare(wanted)) {
            return Optional.empty();
        }
        OpenDevices open = openFor(wanted);
        if (count > open.before) {
            return Optional.empty();
        }
        Optional<List<PooledDevice>> found = new Subset(open.reliable()).first((int) count);
        found.ifPresent(chosen -> chosen.forEach(each -> {
            taken.add(each.id());
            consume(each, 1);
        }));
        return found.map(chosen -> chosen.stream().map(PooledDevice::id).toList());
    }

    /**
     * Adds the comparisons of all devices with this class to {@link #comparisons}. Returns false if the limit is
     * exceeded.
     */
    private boolean mayCompare(DeviceClass wanted) {
        comparisons += devices.size() * (1L + wanted.selectors().size());
        return comparisons <= MOST_COMPARISONS;
    }

    /**
     * The devices of a class that are not allocated.
     *
     * @param certain the devices that certainly belong to the class, in the order of the scheduler
     * @param before how many devices of {@code certain} come before the first uncertain device. The scheduler may fail
     *     with an error at an uncertain device
     * @param doubtful the number of uncertain devices, which may or may not belong to the class
     */
    private record OpenDevices(List<PooledDevice> certain, int before, long doubtful) {
        List<PooledDevice> reliable() {
            return certain.subList(0, before);
        }
    }

    private OpenDevices openFor(DeviceClass wanted) {
        List<PooledDevice> certain = new ArrayList<>();
        int before = -1;
        long doubtful = 0;
        List<DraCertainty> answers = inputs.stream().map(wanted::contains).toList();
        for (int i = 0; i < inputOf.length; i++) {
            PooledDevice each = devices.get(i);
            boolean isShared = each.device().shared();
            DraCertainty belongs = isUsable(each) ? answers.get(inputOf[i]) : DraCertainty.NO;
            if (belongs == DraCertainty.MAYBE || (belongs == DraCertainty.YES && isShared)) {
                before = before < 0 ? certain.size() : before;
            }
            if (belongs != DraCertainty.NO && !each.device().isTainted()) {
                if (isShared) {
                    doubtful = Long.MAX_VALUE;
                } else if (belongs == DraCertainty.MAYBE) {
                    doubtful = Amounts.saturatedSum(doubtful, 1);
                } else {
                    certain.add(each);
                }
            }
        }
        return new OpenDevices(certain, before < 0 ? certain.size() : before, doubtful);
    }

    /**
     * Returns true if the scheduler may allocate the device. This is always true for a device that several claims can
     * share. It is true for another device if no claim has it and the counters are sufficient for it.
     */
    private boolean isUsable(PooledDevice device) {
        if (device.device().shared()) {
            return true;
        }
        if (taken.contains(device.id())) {
            return false;
        }
        if (device.device().consumes().isEmpty()) {
            return true;
        }
        consume(device, 1);
        boolean covered = isCovered(device);
        consume(device, -1);
        return covered && !overdrawn.contains(device.pool().id());
    }

    private void consume(PooledDevice device, int times) {
        Map<CounterId, Long> ofPool = counters.get(device.pool().id());
        if (ofPool != null) {
            device.device()
                    .consumes()
                    .forEach(set -> set.counters()
                            .forEach((name, amount) -> ofPool.merge(
                                    new CounterId(set.name(), name), -times * amount, Amounts::saturatedSum)));
        }
    }

    private boolean isOverdrawn(PoolId pool) {
        return counters.getOrDefault(pool, Map.of()).values().stream().anyMatch(left -> left < 0);
    }

    /** Returns true if all counters that the device uses are at least 0. */
    private boolean isCovered(PooledDevice device) {
        Map<CounterId, Long> ofPool = counters.getOrDefault(device.pool().id(), Map.of());
        return device.device().consumes().stream()
                .allMatch(set -> set.counters().keySet().stream()
                        .allMatch(name -> ofPool.getOrDefault(new CounterId(set.name(), name), 0L) >= 0));
    }

    /** A search for devices that can be allocated together. The shared counters must be sufficient for all of them. */
    private final class Subset {
        private final List<PooledDevice> from;
        private final List<PooledDevice> chosen = new ArrayList<>();
        private int steps;

        Subset(List<PooledDevice> from) {
            this.from = from;
        }

        /**
         * Returns true if the search has not reached its limit. If the limit was reached, a larger combination may
         * exist.
         */
        boolean isExact() {
            return steps <= MOST_STEPS;
        }

        /**
         * Returns the first combination of {@code size} devices in the order of the scheduler; empty if none is found.
         */
        Optional<List<PooledDevice>> first(int size) {
            if (from.stream()
                    .limit(size)
                    .allMatch(each -> each.device().consumes().isEmpty())) {
                return Optional.of(List.copyOf(from.subList(0, size)));
            }
            boolean found = size <= MOST_CHOSEN && extend(0, size);
            steps = size <= MOST_CHOSEN ? steps : MOST_STEPS + 1;
            return found ? Optional.of(undone()) : Optional.empty();
        }

        /** Returns the number of devices in the largest combination that was found. */
        int size() {
            int size = greedy();
            while (size < from.size() && first(size + 1).isPresent()) {
                size++;
            }
            return size;
        }

        /**
         * Chooses one device after another as long as the counters are sufficient, without backtracking. Returns the
         * number of chosen devices.
         */
        private int greedy() {
            for (PooledDevice each : from) {
                consume(each, 1);
                chosen.add(each);
                if (!isCovered(each)) {
                    chosen.removeLast();
                    consume(each, -1);
                }
            }
            return undone().size();
        }

        private List<PooledDevice> undone() {
            List<PooledDevice> result = List.copyOf(chosen);
            chosen.forEach(each -> consume(each, -1));
            chosen.clear();
            return result;
        }

        private boolean extend(int start, int size) {
            if (chosen.size() == size) {
                return true;
            }
            for (int i = start; i <= from.size() - (size - chosen.size()) && ++steps <= MOST_STEPS; i++) {
                PooledDevice next = from.get(i);
                consume(next, 1);
                chosen.add(next);
                if (isCovered(next) && extend(i + 1, size)) {
                    return true;
                }
                chosen.removeLast();
                consume(next, -1);
            }
            return false;
        }
    }
}
