package dev.sluice.ledger;

import com.google.errorprone.annotations.FormatMethod;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementDemand;
import dev.sluice.ledger.placement.PlacementDeviceUsage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares a ledger with the model: every number, every placement, and that there is nothing else. */
final class Inspection {

    private final Ledger ledger;
    private final LedgerModel model;
    private final List<LedgerModel.Demand> demands;
    private final Map<String, LedgerPodUsage> podUsages = new HashMap<>();
    private final Map<String, long[]> free = new HashMap<>();

    Inspection(Ledger ledger, LedgerModel told) {
        this.ledger = ledger;
        this.model = told;
        this.demands = told.demands();
    }

    @FormatMethod
    static void require(boolean holds, String what, @Nullable Object... about) {
        if (!holds) {
            throw new AssertionError(what.formatted(about));
        }
    }

    void check() {
        for (LedgerPodUsage podUsage : ledger.podUsages()) {
            LedgerPodUsage twin = podUsages.put(podUsage.pod(), podUsage);
            require(twin == null, "%s holds twice", podUsage.pod());
        }
        checkUsage();
        long unplaced = 0;
        long overcommitted = 0;
        for (LedgerModel.Demand demand : demands) {
            LedgerPodUsage podUsage = podUsages.remove(demand.pod());
            require(podUsage != null, "%s is not reserved", demand);
            boolean placed = checkPlacement(demand, Objects.requireNonNull(podUsage));
            unplaced += placed ? 0 : 1;
            overcommitted += !placed && demand.room() ? 1 : 0;
        }
        model.pods.values().forEach(this::checkBound);
        require(podUsages.isEmpty(), "%s should hold nothing", podUsages);
        checkStatistics(unplaced, overcommitted);
        checkSums();
    }

    private void checkUsage() {
        Map<String, LedgerNodeUsage> usage = ledger.usage();
        require(
                usage.keySet().equals(model.nodes.keySet()),
                "known are %s, not %s",
                model.nodes.keySet(),
                usage.keySet());
        Map<String, long[]> allocated = model.allocated();
        for (Node node : model.nodes.values()) {
            LedgerNodeUsage one = Objects.requireNonNull(usage.get(node.name()));
            long[] expected = allocated.getOrDefault(node.name(), new long[Palette.NAMES.size()]);
            requireEqual(expected, one.allocated(), "Allocated of " + node.name());
            long[] reserved = new long[expected.length];
            for (LedgerModel.Demand demand : demands) {
                LedgerPodUsage podUsage = podUsages.get(demand.pod());
                if (podUsage != null && node.name().equals(podUsage.tentative())) {
                    LedgerModel.add(reserved, demand.need());
                }
            }
            requireEqual(reserved, one.reserved(), "Reserved of " + node.name());
            checkRoom(node, expected, reserved);
        }
    }

    private static void requireEqual(long[] expected, Amounts actual, String what) {
        long[] have = Palette.vector(actual);
        for (int i = 0; i < expected.length; i++) {
            require(expected[i] == have[i], "%s: %d %s, not %s", what, expected[i], Palette.NAMES.get(i), actual);
        }
    }

    /** What is reserved fits beside Allocated, unless a pod is pinned there. */
    private void checkRoom(Node node, long[] allocated, long[] reserved) {
        long[] left = Palette.vector(node.allocatable());
        if (!node.allocatable().has(ResourceName.PODS)) {
            left[Palette.PODS] = Integer.MAX_VALUE;
        }
        for (int i = 0; i < left.length; i++) {
            left[i] -= allocated[i] + reserved[i];
            int resource = i;
            require(
                    reserved[i] == 0
                            || left[i] + preemptible(node, resource, allocated[i]) >= 0
                            || demands.stream().anyMatch(one -> isPinnedTo(one, node, resource)),
                    "%s on %s is %d",
                    Palette.NAMES.get(i),
                    node.name(),
                    left[i]);
        }
        free.put(node.name(), left);
    }

    /** How much the scheduler takes at most from bound pods for pods of higher priority. */
    private long preemptible(Node node, int resource, long allocated) {
        int highest = Integer.MIN_VALUE;
        long needed = 0;
        for (LedgerModel.Demand demand : demands) {
            LedgerPodUsage podUsage = podUsages.get(demand.pod());
            if (podUsage != null
                    && node.name().equals(podUsage.tentative())
                    && demand.priority().preempts()) {
                highest = Math.max(highest, demand.priority().value());
                needed += Palette.vector(demand.need())[resource];
            }
        }
        long lower = 0;
        for (Pod pod : model.pods.values()) {
            if (pod.place() instanceof Pod.Place.Bound(String name)
                    && name.equals(node.name())
                    && pod.priority().value() < highest) {
                lower += Palette.vector(PlacementDemand.countable(pod.requests()))[resource];
            }
        }
        return Math.max(0, Math.min(needed + allocated - Palette.vector(node.allocatable())[resource], lower));
    }

    private boolean isPinnedTo(LedgerModel.Demand demand, Node node, int resource) {
        LedgerPodUsage podUsage = podUsages.get(demand.pod());
        return podUsage != null
                && node.name().equals(podUsage.tentative())
                && demand.isPinnedTo(node.name())
                && demand.need().get(Palette.NAMES.get(resource)) > 0;
    }

    private boolean checkPlacement(LedgerModel.Demand demand, LedgerPodUsage podUsage) {
        require(
                podUsage.node() == null && podUsage.requests().equals(demand.need()),
                "%s is held as %s",
                demand,
                podUsage);
        String place = podUsage.tentative();
        if (place == null) {
            require(!fitsSomewhere(demand.need(), demand), "%s has no place but could have one", demand);
            require(!fitsByPreemption(demand), "%s has no place but could preempt others", demand);
            return false;
        }
        Node node = model.nodes.get(place);
        require(node != null, "%s stands on a ghost", podUsage);
        require(
                demand.isPinnedTo(place)
                        || demand.constraints()
                                .presentRefusal(Objects.requireNonNull(node))
                                .isEmpty(),
                "%s stands where it is not admitted: %s",
                demand,
                place);
        require(
                demand.nominated() == null
                        || place.equals(demand.nominated())
                        || !model.nodes.containsKey(demand.nominated()),
                "%s stands on %s",
                demand,
                place);
        return true;
    }

    boolean fitsSomewhere(Amounts need, LedgerModel.Demand demand) {
        long[] wanted = Palette.vector(PlacementDemand.countable(need));
        for (Node node : model.nodes.values()) {
            if (Packing.covers(Objects.requireNonNull(free.get(node.name())), wanted)
                    && demand.constraints().presentRefusal(node).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Whether such a pod fits some node without the pods of lower priority. */
    boolean fitsByPreemption(LedgerModel.Demand demand) {
        Map<String, String> places = new HashMap<>();
        ledger.podUsages()
                .forEach(podUsage ->
                        places.put(podUsage.pod(), podUsage.tentative() == null ? "" : podUsage.tentative()));
        return model.nodes.values().stream().anyMatch(node -> model.fitsByPreemption(node, demand, places));
    }

    private void checkBound(Pod pod) {
        if (pod.place() instanceof Pod.Place.Bound(String node)) {
            LedgerPodUsage podUsage = podUsages.remove(pod.name());
            boolean device = pod.requests().anyMatch((name, amount) -> name.isExtended() && amount > 0);
            require((podUsage != null) == device, "%s is held as %s", pod, podUsage);
            require(podUsage == null || node.equals(podUsage.node()), "%s is held as %s", pod, podUsage);
        }
    }

    private void checkStatistics(long unplaced, long overcommitted) {
        LedgerStatistics statistics = ledger.statistics();
        require(statistics.pods() == model.pods.size(), "%d pods, not %s", model.pods.size(), statistics);
        require(statistics.assumed() == model.assumedCount(), "%d decisions, not %s", model.assumedCount(), statistics);
        require(statistics.unplaced() == unplaced, "%d have no place, not %s", unplaced, statistics);
        require(statistics.overcommitted() == overcommitted, "%d are overcommitted, not %s", overcommitted, statistics);
        require(statistics.auditDifference().total() == 0, "the audit finds %s", statistics.auditDifference());
    }

    private void checkSums() {
        for (ResourceName device : List.of(Palette.GPU, Palette.SLICE)) {
            long sum = 0;
            for (Node node : model.nodes.values()) {
                long[] left = Objects.requireNonNull(free.get(node.name()));
                sum += Math.max(0, left[Palette.NAMES.indexOf(device)]);
            }
            require(ledger.freeOf(device) == sum, "%d %s are free, not %d", sum, device, ledger.freeOf(device));
        }
        checkDevices();
    }

    private void checkDevices() {
        Map<ResourceName, PlacementDeviceUsage> expected = new HashMap<>();
        Map<String, LedgerNodeUsage> usage = ledger.usage();
        int having = 0;
        for (Node node : model.nodes.values()) {
            LedgerNodeUsage own = Objects.requireNonNull(usage.get(node.name()));
            Amounts named = node.capacity().plus(node.allocatable());
            having += named.anyMatch((name, _) -> name.isExtended()) ? 1 : 0;
            named.forEach((name, _) -> {
                if (name.isExtended()) {
                    expected.merge(name, deviceUsage(node.allocatable().get(name), own, name), Inspection::sum);
                }
            });
        }
        LedgerClusterDevices devices = ledger.devices(having);
        require(devices.total().equals(expected), "the devices are %s, not %s", expected, devices.total());
        require(devices.byNode().size() == having, "%d nodes have devices, not %s", having, devices.byNode());
        require(ledger.devices(having - 1).byNode().isEmpty(), "%d nodes are more than were asked for", having);
    }

    private static PlacementDeviceUsage deviceUsage(long allocatable, LedgerNodeUsage usage, ResourceName name) {
        long allocated = usage.allocated().get(name);
        long reserved = usage.reserved().get(name);
        return new PlacementDeviceUsage(
                1, allocatable, allocated, reserved, Math.max(0, allocatable - allocated - reserved));
    }

    private static PlacementDeviceUsage sum(PlacementDeviceUsage one, PlacementDeviceUsage other) {
        return new PlacementDeviceUsage(
                one.nodes() + other.nodes(),
                one.allocatable() + other.allocatable(),
                one.allocated() + other.allocated(),
                one.reserved() + other.reserved(),
                one.available() + other.available());
    }
}
