package dev.sluice.ledger.placement;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A queue of reservations for which no node has enough capacity. Reservations with equal demand form a group, and only
 * the first reservation of a group is tried. The queue also knows which groups a node may admit, so that it tries no
 * others for the node.
 */
final class PendingReservationQueue {

    private static final String HOSTNAME = "kubernetes.io/hostname";
    /** The key of a {@link RequiredLabel} whose value is the name of a node. No real label has an empty key. */
    private static final String NAME = "";

    /**
     * The reservations with the same demand.
     *
     * @param turn the position of the group in the queue
     */
    private record DemandGroup(
            long turn, PlacementDemand demand, @Nullable RequiredLabel label, Set<PlacementReservation> reservations) {
        boolean isEmpty() {
            return reservations.isEmpty();
        }

        int priority() {
            return demand.priority().value();
        }
    }

    /** The label, or the node name, that a node must have to admit a pod. */
    private record RequiredLabel(String key, String value) {}

    /**
     * The groups of reservations that the nodes of one bucket may admit. A bucket contains nodes that are alike.
     * Reservation groups after {@code turn} in the queue have not been checked yet.
     */
    private static final class Candidates {
        private final List<DemandGroup> inOrder = new ArrayList<>();
        private long turn;
    }

    private final PlacementNodeIndex index;
    /** The groups by demand, oldest first. */
    private final Map<PlacementDemand, DemandGroup> byDemand = new LinkedHashMap<>();
    /**
     * The groups whose pods need one certain node, or a label whose value differs between the nodes of a bucket (a
     * group of like nodes).
     */
    private final Map<RequiredLabel, List<DemandGroup>> byLabel = new HashMap<>();
    /** The other groups, which are not in {@link #byLabel}, by their position in the queue. */
    private final TreeMap<Long, DemandGroup> withoutLabel = new TreeMap<>();
    /**
     * For each bucket (a group of like nodes), the groups of reservations that its nodes may admit. They are computed
     * once for all nodes of a bucket, because the scheduler treats these nodes alike.
     */
    private final Map<PlacementNodeBucket, Candidates> byBucket = new WeakHashMap<>();

    private long groupings;
    private long turns;

    PendingReservationQueue(PlacementNodeIndex index) {
        this.index = index;
    }

    boolean has(PlacementReservation reservation) {
        DemandGroup group = byDemand.get(reservation.demand());
        return group != null && group.reservations().contains(reservation);
    }

    boolean hasDemandOf(PlacementReservation reservation) {
        return byDemand.containsKey(reservation.demand());
    }

    Stream<PlacementReservation> all() {
        return byDemand.values().stream().flatMap(group -> group.reservations().stream());
    }

    /** Returns the number of reservations whose demand {@code excluded} does not accept. */
    long countWithout(Predicate<PlacementDemand> excluded) {
        return byDemand.values().stream()
                .filter(group -> !excluded.test(group.demand()))
                .mapToLong(group -> group.reservations().size())
                .sum();
    }

    /** Returns the oldest reservation of each of the first {@code groups} groups. */
    List<PlacementReservation> oldest(int groups) {
        return byDemand.values().stream()
                .limit(groups)
                .map(group -> group.reservations().iterator().next())
                .toList();
    }

    void add(PlacementReservation reservation) {
        var _ = byDemand.computeIfAbsent(reservation.demand(), this::newDemand)
                .reservations()
                .add(reservation);
    }

    private DemandGroup newDemand(PlacementDemand demand) {
        RequiredLabel label = requiredLabel(demand.constraints());
        DemandGroup group = new DemandGroup(++turns, demand, label, new LinkedHashSet<>());
        if (label == null) {
            withoutLabel.put(group.turn(), group);
        } else {
            var _ = byLabel.computeIfAbsent(label, _ -> new ArrayList<>()).add(group);
        }
        return group;
    }

    private @Nullable RequiredLabel requiredLabel(NodeConstraints constraints) {
        Optional<RequiredLabel> named = constraints.onlyNode().map(name -> new RequiredLabel(NAME, name));
        return named.or(() -> constraints.onlyHostname().map(name -> new RequiredLabel(HOSTNAME, name)))
                .or(() -> rarestLabel(constraints))
                .orElse(null);
    }

    /**
     * Returns the label of the pod's node selector under which {@link #byLabel} has the fewest groups. Returns empty if
     * the pod's constraints treat all nodes of a bucket (a group of like nodes) alike.
     */
    private Optional<RequiredLabel> rarestLabel(NodeConstraints constraints) {
        return index.readsIndividually(constraints)
                ? constraints.nodeSelector().entrySet().stream()
                        .map(entry -> new RequiredLabel(entry.getKey(), entry.getValue()))
                        .min(Comparator.comparingInt(
                                label -> byLabel.getOrDefault(label, List.of()).size()))
                : Optional.empty();
    }

    void remove(PlacementReservation reservation) {
        DemandGroup group = byDemand.get(reservation.demand());
        if (group != null && group.reservations().remove(reservation) && group.isEmpty()) {
            drop(group);
        }
    }

    private void drop(DemandGroup group) {
        byDemand.remove(group.demand());
        withoutLabel.remove(group.turn());
        RequiredLabel label = group.label();
        if (label != null) {
            byLabel.computeIfPresent(label, (_, all) -> {
                all.removeIf(DemandGroup::isEmpty);
                return all.isEmpty() ? null : all;
            });
        }
    }

    /**
     * Places as many reservations as fit on the node, in the order of their priority and then of their age.
     *
     * @return true if a placed reservation preempts other reservations, which the caller must now evict from the node
     */
    boolean fill(PlacementNodeUsage usage) {
        if (byDemand.isEmpty() || usage.node() == null || usage.bucket() == null) {
            return false;
        }
        boolean preempts = false;
        for (DemandGroup group : covered(usage, usage.node(), usage.bucket())) {
            PlacementDemand demand = group.demand();
            while (!group.isEmpty() && usage.fits(demand)) {
                PlacementReservation first = group.reservations().iterator().next();
                remove(first);
                first.unplace().place(usage);
            }
            while (!group.isEmpty() && usage.fitsByPreemption(demand)) {
                PlacementReservation first = group.reservations().iterator().next();
                remove(first);
                first.unplace().preempt(usage);
                preempts = true;
            }
        }
        return preempts;
    }

    /**
     * Returns the groups whose demand the node may cover now, sorted by priority and then by age. Other groups cannot
     * fit later while the node is filled, because its free amounts only become smaller.
     */
    private List<DemandGroup> covered(PlacementNodeUsage usage, Node node, PlacementNodeBucket bucket) {
        List<DemandGroup> covered = new ArrayList<>();
        for (DemandGroup group : candidates(bucket)) {
            PlacementDemand demand = group.demand();
            if (usage.covers(demand.need()) || usage.fitsByPreemption(demand)) {
                covered.add(group);
            }
        }
        int inOrder = covered.size();
        if (!byLabel.isEmpty()) {
            covered.addAll(byLabel.getOrDefault(new RequiredLabel(NAME, node.name()), List.of()));
            node.labels().forEach((key, value) -> {
                var _ = covered.addAll(byLabel.getOrDefault(new RequiredLabel(key, value), List.of()));
            });
        }
        if (covered.size() > inOrder || index.hasPriorities()) {
            covered.sort(
                    Comparator.comparingInt(DemandGroup::priority).reversed().thenComparingLong(DemandGroup::turn));
        }
        return covered;
    }

    private List<DemandGroup> candidates(PlacementNodeBucket bucket) {
        if (groupings != index.groupings()) {
            groupings = index.groupings();
            byBucket.clear();
        }
        Candidates candidates = byBucket.computeIfAbsent(bucket, _ -> new Candidates());
        candidates.inOrder.removeIf(DemandGroup::isEmpty);
        for (DemandGroup group : withoutLabel.tailMap(candidates.turn, false).values()) {
            NodeConstraints constraints = group.demand().constraints();
            if (index.readsIndividually(constraints) || bucket.admits(constraints)) {
                candidates.inOrder.add(group);
            }
        }
        candidates.turn = turns;
        return candidates.inOrder;
    }
}
