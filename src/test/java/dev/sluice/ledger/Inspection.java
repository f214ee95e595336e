package dev.sluice.ledger;

import com.google.errorprone.annotations.FormatMethod;
import dev.sluice.ledger.nodeindex.PodDemand;
import dev.sluice.node.Node;
import dev.sluice.pod.Pod;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Holds a ledger against the obvious model: every number, every place, and that nothing is where it must not be. */
final class Inspection {

    private final Ledger ledger;
    private final Told told;
    private final List<Told.Demand> demands;
    private final Map<String, PodUsage> podUsages = new HashMap<>();
    private final Map<String, long[]> free = new HashMap<>();

    Inspection(Ledger ledger, Told told) {
        this.ledger = ledger;
        this.told = told;
        this.demands = told.demands();
    }

    @FormatMethod
    static void require(boolean holds, String what, @Nullable Object... about) {
        if (!holds) {
            throw new AssertionError(what.formatted(about));
        }
    }

    void check() {
        for (PodUsage holder : ledger.podUsages()) {
            PodUsage twin = podUsages.put(holder.pod(), holder);
            require(twin == null, "%s holds twice", holder.pod());
        }
        checkUsage();
        long unplaced = 0;
        long overcommitted = 0;
        for (Told.Demand demand : demands) {
            PodUsage holder = podUsages.remove(demand.holder());
            require(holder != null, "%s is not reserved", demand);
            boolean placed = checkPlace(demand, Objects.requireNonNull(holder));
            unplaced += placed ? 0 : 1;
            overcommitted += (placed ? hasOutgrown(demand, holder) : demand.room()) ? 1 : 0;
        }
        told.pods.values().forEach(this::checkBound);
        require(podUsages.isEmpty(), "%s should hold nothing", podUsages);
        checkStatistics(unplaced, overcommitted);
        checkSums();
    }

    private void checkUsage() {
        Map<String, Usage> usage = ledger.usage();
        require(
                usage.keySet().equals(told.nodes.keySet()),
                "known are %s, not %s",
                told.nodes.keySet(),
                usage.keySet());
        Map<String, long[]> allocated = told.allocated();
        for (Node node : told.nodes.values()) {
            Usage one = Objects.requireNonNull(usage.get(node.name()));
            long[] expected = allocated.getOrDefault(node.name(), new long[Palette.NAMES.size()]);
            requireEqual(expected, one.allocated(), "Allocated of " + node.name());
            long[] reserved = new long[expected.length];
            for (Told.Demand demand : demands) {
                PodUsage holder = podUsages.get(demand.holder());
                if (holder != null && node.name().equals(holder.tentative())) {
                    Told.add(reserved, demand.need());
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

    /** Whatever is reserved fits beside Allocated, unless one stands there that insists. */
    private void checkRoom(Node node, long[] allocated, long[] reserved) {
        long[] left = Palette.vector(node.allocatable());
        if (!node.allocatable().has(ResourceName.PODS)) {
            left[Palette.PODS] = Integer.MAX_VALUE;
        }
        for (int i = 0; i < left.length; i++) {
            left[i] -= allocated[i] + reserved[i];
            int resource = i;
            require(
                    reserved[i] == 0 || left[i] >= 0 || demands.stream().anyMatch(one -> insists(one, node, resource)),
                    "%s on %s is %d",
                    Palette.NAMES.get(i),
                    node.name(),
                    left[i]);
        }
        free.put(node.name(), left);
    }

    private boolean insists(Told.Demand demand, Node node, int resource) {
        PodUsage holder = podUsages.get(demand.holder());
        return holder != null
                && node.name().equals(holder.tentative())
                && demand.insists(node.name())
                && demand.need().get(Palette.NAMES.get(resource)) > 0;
    }

    /** It stands, but is short of something there, or not admitted any more. */
    private boolean hasOutgrown(Told.Demand demand, PodUsage holder) {
        Node node = Objects.requireNonNull(told.nodes.get(Objects.requireNonNull(holder.tentative())));
        if (!demand.insists(node.name()) || node.name().equals(demand.nominated())) {
            return false;
        }
        long[] left = Objects.requireNonNull(free.get(node.name()));
        long[] needed = Palette.vector(demand.need());
        for (int i = 0; i < left.length; i++) {
            if (needed[i] > 0 && left[i] < 0) {
                return true;
            }
        }
        return demand.constraints().presentRefusal(node).isPresent();
    }

    private boolean checkPlace(Told.Demand demand, PodUsage holder) {
        require(holder.node() == null && holder.requests().equals(demand.need()), "%s is held as %s", demand, holder);
        String place = holder.tentative();
        if (place == null) {
            require(!fitsSomewhere(demand.need(), demand), "%s has no place but could have one", demand);
            return false;
        }
        Node node = told.nodes.get(place);
        require(node != null, "%s stands on a ghost", holder);
        require(
                demand.insists(place)
                        || demand.constraints()
                                .presentRefusal(Objects.requireNonNull(node))
                                .isEmpty(),
                "%s stands where it is not admitted: %s",
                demand,
                place);
        require(
                demand.nominated() == null
                        || place.equals(demand.nominated())
                        || !told.nodes.containsKey(demand.nominated()),
                "%s stands on %s",
                demand,
                place);
        return true;
    }

    boolean fitsSomewhere(Amounts need, Told.Demand demand) {
        long[] wanted = Palette.vector(PodDemand.countable(need));
        for (Node node : told.nodes.values()) {
            if (Packing.covers(Objects.requireNonNull(free.get(node.name())), wanted)
                    && demand.constraints().presentRefusal(node).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private void checkBound(Pod pod) {
        if (pod.place() instanceof Pod.Place.Bound(String node)) {
            PodUsage holder = podUsages.remove(pod.name());
            boolean device = pod.requests().anyMatch((name, amount) -> name.isExtended() && amount > 0);
            require((holder != null) == device, "%s is held as %s", pod, holder);
            require(holder == null || node.equals(holder.node()), "%s is held as %s", pod, holder);
        }
    }

    private void checkStatistics(long unplaced, long overcommitted) {
        LedgerStatistics standing = ledger.statistics();
        require(standing.pods() == told.pods.size(), "%d pods, not %s", told.pods.size(), standing);
        require(standing.assumed() == told.unseen(), "%d decisions, not %s", told.unseen(), standing);
        require(standing.unplaced() == unplaced, "%d have no place, not %s", unplaced, standing);
        require(standing.overcommitted() == overcommitted, "%d are overcommitted, not %s", overcommitted, standing);
        require(standing.auditDifference().total() == 0, "the audit finds %s", standing.auditDifference());
    }

    private void checkSums() {
        for (ResourceName device : List.of(Palette.GPU, Palette.SLICE)) {
            long sum = 0;
            for (Node node : told.nodes.values()) {
                long[] left = Objects.requireNonNull(free.get(node.name()));
                sum += Math.max(0, left[Palette.NAMES.indexOf(device)]);
            }
            require(ledger.freeOf(device) == sum, "%d %s are free, not %d", sum, device, ledger.freeOf(device));
        }
    }
}
