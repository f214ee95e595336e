package dev.sluice.ledger.placement;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.NodeExtendedResources;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Keeps the usage of each node, and finds a node with enough free capacity. */
public final class PlacementNodeIndex {

    /**
     * The maximum number of preemptor priorities for which search trees are kept. Most clusters have fewer
     * PriorityClasses. If there are more, the trees that were not used for the longest time are dropped, and built
     * again when they are needed.
     */
    private static final int MOST_PRIORITIES = 8;

    /**
     * The maximum number of demands that a predicate of {@link #mayFit} compares with the nodes. In a cluster with
     * thousands of nodes, one comparison takes a millisecond.
     */
    private static final int MOST_COMPARED = 16;

    /**
     * Sorts buckets (groups of like nodes) by the number of their devices, the fewest first. Pods that can run anywhere
     * then leave the devices free for pods that need them.
     */
    private static final Comparator<PlacementNodeBucket> LEAST_SCARCE = Comparator.comparingInt(
                    (PlacementNodeBucket bucket) -> bucket.kind().devices().size())
            .thenComparingLong(bucket -> bucket.kind().devices().sum());

    private final Map<String, PlacementNodeUsage> usages = new HashMap<>();
    /**
     * The nodes with reservations. They are sorted by name, so that a node that is removed and added again has the same
     * position.
     */
    private final Set<PlacementNodeUsage> withReservations =
            new TreeSet<>(Comparator.comparing(PlacementNodeUsage::name));

    private final PlacementDeviceTotals totals = new PlacementDeviceTotals();
    private final PlacementClaimedRoom claimedRoom = new PlacementClaimedRoom();

    private final Map<PlacementNodeBucket.BucketKey, PlacementNodeBucket> buckets = new HashMap<>();
    private final List<PlacementNodeBucket> bucketsInOrder = new ArrayList<>();
    /** The number of buckets (groups of like nodes) whose nodes have a hostname that differs from their name. */
    private int bucketsWithOtherHostnames;

    private final Map<ResourceName, List<PlacementNodeBucket>> byDevice = new HashMap<>();
    /**
     * Caches for each node whether it admits a pod with the constraints {@link #admissionsOf}. The cache is used only
     * for constraints with many entries.
     */
    private final IdentityHashMap<PlacementNodeUsage, Boolean> admissions = new IdentityHashMap<>();

    private NodeConstraints admissionsOf = NodeConstraints.NONE;
    private Set<String> namingKeys = Set.of();
    private long groupings;
    /** The lowest priority of all pods that were ever seen. */
    private int lowest = Integer.MAX_VALUE;

    private int highest = Integer.MIN_VALUE;
    /** The priorities of recent preemptors, starting with the one that was used least recently. */
    private final Set<Integer> priorities = new LinkedHashSet<>();

    public Collection<PlacementNodeUsage> usages() {
        return usages.values();
    }

    /** Returns the nodes with reservations, sorted by name. */
    public Set<PlacementNodeUsage> withReservations() {
        return withReservations;
    }

    /**
     * Returns the usage of this node. If the node is not known, adds a usage without free resources, and returns it.
     */
    public PlacementNodeUsage usage(String name) {
        return usages.computeIfAbsent(name, _ -> new PlacementNodeUsage(name, withReservations, totals, claimedRoom));
    }

    /** Returns the usage of this node; null if the node is not known. */
    @Nullable
    public PlacementNodeUsage known(String name) {
        PlacementNodeUsage usage = usages.get(name);
        return usage == null || usage.node() == null ? null : usage;
    }

    public boolean contains(String name) {
        return usages.containsKey(name);
    }

    /** Returns the usage of each device, added up over all known nodes. */
    public Map<ResourceName, PlacementDeviceUsage> deviceTotals() {
        return totals.byDevice();
    }

    /**
     * Returns the usage of each device, by the name of the node; empty if more than {@code most} nodes have devices.
     */
    public Map<String, Map<ResourceName, PlacementDeviceUsage>> devicesByNode(int most) {
        if (totals.nodes() > most) {
            return Map.of();
        }
        Map<String, Map<ResourceName, PlacementDeviceUsage>> byNode = new HashMap<>();
        for (PlacementNodeUsage usage : usages.values()) {
            usage.forEachDevice((device, own) ->
                    byNode.computeIfAbsent(usage.name(), _ -> new HashMap<>()).put(device, own));
        }
        return byNode;
    }

    /** Returns how many of {@code device} are free, summed over all nodes. Cordoned nodes are included. */
    public long freeOf(ResourceName device) {
        return totals.availableOf(device);
    }

    /** Returns true if it is unknown for some node how many of {@code device} are free. */
    public boolean isFreeUncertain(ResourceName device) {
        return claimedRoom.nodes().stream().anyMatch(usage -> usage.isFreeUncertain(device));
    }

    /** Returns the usage of {@code device} on the nodes that would accept a pod with these constraints now. */
    public PlacementDeviceUsage usableNow(ResourceName device, NodeConstraints constraints) {
        boolean individually = readsIndividually(constraints);
        PlacementDeviceUsage usable = new PlacementDeviceUsage(0, 0, 0, 0, 0);
        for (PlacementNodeBucket bucket : byDevice.getOrDefault(device, List.of())) {
            if (individually || admitsAll(bucket, constraints)) {
                usable = usable.plus(bucket.usageOf(device, usage -> !individually || admits(usage, constraints)));
            }
        }
        return usable;
    }

    /** Returns true if some node has a device with this resource name. */
    public boolean isDevice(ResourceName name) {
        return byDevice.containsKey(name);
    }

    public void removeIfUnused(PlacementNodeUsage usage) {
        if (usage.isUnused()) {
            usages.remove(usage.name(), usage);
            admissions.remove(usage);
        }
    }

    /**
     * Updates the nodes that this event may have changed. Updates all nodes if {@code nodes} has grouped its nodes
     * again since the last update.
     *
     * @return the nodes that may have changed
     */
    public List<PlacementNodeUsage> update(PlacementNodes nodes, NodeEvent event) {
        return update(nodes, subjects(nodes, event));
    }

    /**
     * Updates these nodes. Updates all nodes if {@code nodes} has grouped its nodes again since the last update.
     *
     * @param subjects the names of the nodes to update
     * @return the nodes that may have changed
     */
    public List<PlacementNodeUsage> update(PlacementNodes nodes, Collection<String> subjects) {
        admissions.clear();
        namingKeys = nodes.namingKeys();
        Collection<String> names = groupings == nodes.groupings() ? subjects : namesWith(nodes);
        groupings = nodes.groupings();
        List<PlacementNodeUsage> updated = new ArrayList<>(names.size());
        for (String name : names) {
            PlacementNodeUsage usage = usage(name);
            takeOver(usage, nodes.known(name));
            updated.add(usage);
        }
        return updated;
    }

    /** Replaces the state of DRA. Returns the nodes whose free devices may have changed. */
    public List<PlacementNodeUsage> replace(DraState state) {
        Predicate<Node> mayChange = state.changedSince(claimedRoom.state());
        claimedRoom.replace(state);
        List<PlacementNodeUsage> changed = claimedRoom.nodes().stream()
                .filter(usage -> usage.node() != null && mayChange.test(usage.node()))
                .toList();
        changed.forEach(PlacementNodeUsage::claimsChanged);
        return changed;
    }

    /** Returns true if a pod fits on a node with DRA devices when its devices of unknown state count as free. */
    public boolean mayFind(Amounts need, NodeConstraints constraints) {
        return claimedRoom.nodes().stream().anyMatch(usage -> usage.mayFit(need, constraints));
    }

    /**
     * Returns a predicate that accepts the demands that fit on some node when DRA devices of unknown state count as
     * free. Demands without such devices are not accepted. All demands with such devices are accepted after
     * {@link #MOST_COMPARED} comparisons, or if the names of the DRA devices are unknown. The predicate is valid until
     * the next change of a node.
     */
    public Predicate<PlacementDemand> mayFit() {
        boolean isAnyName = claimedRoom.state().supply().names().isUnknown();
        Set<ResourceName> uncertain = new HashSet<>();
        claimedRoom.nodes().forEach(usage -> usage.addUncertain(uncertain));
        int[] compared = {0};
        return demand -> demand.need()
                        .anyMatch((name, amount) ->
                                amount > 0 && (uncertain.contains(name) || (isAnyName && name.isExtended())))
                && (isAnyName || compared[0]++ >= MOST_COMPARED || mayFind(demand.need(), demand.constraints()));
    }

    /** Returns the names of the nodes that this event may have changed. */
    private Collection<String> subjects(PlacementNodes nodes, NodeEvent event) {
        return switch (event) {
            case NodeEvent.NodeSeen seen -> List.of(seen.node().name());
            case NodeEvent.NodeRemoved removed -> List.of(removed.name());
            case NodeEvent.NodesPage page ->
                page.nodes().stream().map(Node::name).toList();
            case NodeEvent.NodeListEnded _ -> nodes.removedByList();
            case NodeEvent.NodesListed _ -> namesWith(nodes);
            case NodeEvent.NodeListBegun _, NodeEvent.NodesBookmark _, NodeEvent.NodesSyncedUpTo _ -> List.of();
        };
    }

    /** Returns the names of all nodes in {@code nodes} and in this index. */
    private Collection<String> namesWith(PlacementNodes nodes) {
        nodes.all().forEach(known -> {
            var _ = usage(known.node().name());
        });
        return List.copyOf(usages.keySet());
    }

    private void takeOver(PlacementNodeUsage usage, @Nullable PlacementNode known) {
        PlacementNodeBucket before = usage.bucket();
        PlacementNodeBucket after = known == null
                ? null
                : buckets.computeIfAbsent(
                        new PlacementNodeBucket.BucketKey(
                                known.kind(), known.node().unschedulable()),
                        this::newBucket);
        if (before != null && before != after) {
            before.remove(usage);
        }
        usage.setNode(known == null ? null : known.node());
        if (known != null && !known.node().byClaims().equals(NodeExtendedResources.NONE)) {
            claimedRoom.nodes().add(usage);
        } else {
            claimedRoom.nodes().remove(usage);
        }
        if (after != null && before != after) {
            after.put(usage);
        }
        if (before != null && before.isEmpty()) {
            drop(before);
        }
    }

    private PlacementNodeBucket newBucket(PlacementNodeBucket.BucketKey key) {
        PlacementNodeBucket bucket = new PlacementNodeBucket(key);
        priorities.forEach(bucket::addPriority);
        insert(bucket, bucketsInOrder);
        bucketsWithOtherHostnames += bucket.kind().hostnameIsName() ? 0 : 1;
        key.kind()
                .devices()
                .forEach((device, _) -> insert(bucket, byDevice.computeIfAbsent(device, _ -> new ArrayList<>())));
        return bucket;
    }

    private static void insert(PlacementNodeBucket bucket, List<PlacementNodeBucket> ordered) {
        int found = Collections.binarySearch(ordered, bucket, LEAST_SCARCE);
        ordered.add(found < 0 ? -found - 1 : found, bucket);
    }

    private void drop(PlacementNodeBucket bucket) {
        buckets.remove(bucket.key());
        bucketsInOrder.remove(bucket);
        bucketsWithOtherHostnames -= bucket.kind().hostnameIsName() ? 0 : 1;
        bucket.kind()
                .devices()
                .forEach((device, _) -> byDevice.computeIfPresent(device, (_, with) -> {
                    with.remove(bucket);
                    // A name that no node has any more is removed, because kubelets could otherwise fill the memory
                    // with new names.
                    return with.isEmpty() ? null : with;
                }));
    }

    /** Records that a pod has this priority. */
    public void sees(int priority) {
        lowest = Math.min(lowest, priority);
        highest = Math.max(highest, priority);
    }

    /** Returns true if the pods that were seen so far have at least two different priorities. */
    boolean hasPriorities() {
        return lowest < highest;
    }

    /**
     * Finds the first node on which a pod with {@code need} and {@code constraints} fits. The nodes are searched in a
     * fixed order, so that they are filled one after another.
     */
    public Optional<PlacementNodeUsage> find(Amounts need, NodeConstraints constraints) {
        return search(need, constraints, null);
    }

    /** Finds the first node on which a pod fits after the preemption of all pods of lower priority. */
    public Optional<PlacementNodeUsage> findByPreemption(
            Amounts need, NodeConstraints constraints, PodPriority priority) {
        if (!priority.preempts() || priority.value() <= lowest) {
            return Optional.empty();
        }
        know(priority.value());
        return search(need, constraints, priority.value());
    }

    private void know(int priority) {
        if (!priorities.remove(priority)) {
            buckets.values().forEach(bucket -> bucket.addPriority(priority));
            if (priorities.size() == MOST_PRIORITIES) {
                Integer oldest = priorities.iterator().next();
                priorities.remove(oldest);
                buckets.values().forEach(bucket -> bucket.removePriority(oldest));
            }
        }
        priorities.add(priority);
    }

    private Optional<PlacementNodeUsage> search(Amounts need, NodeConstraints constraints, @Nullable Integer priority) {
        Optional<String> only = onlyNode(constraints);
        if (only.isPresent()) {
            return Optional.ofNullable(usages.get(only.get()))
                    .filter(usage -> (priority == null ? usage.covers(need) : usage.coversFor(priority, need))
                            && admits(usage, constraints));
        }
        boolean individually = readsIndividually(constraints);
        Optional<ResourceName> rarest = need.smallestBy(this::bucketsWith);
        @Nullable ResourceName device = rarest.filter(ResourceName::isExtended).orElse(null);
        PlacementNodeBucket.BucketQuery wanted = new PlacementNodeBucket.BucketQuery(need, device, priority);
        for (PlacementNodeBucket bucket : device == null ? bucketsInOrder : byDevice.getOrDefault(device, List.of())) {
            if (bucket.mayHave(wanted) && (individually || admitsAll(bucket, constraints))) {
                PlacementNodeUsage found = bucket.first(wanted, usage -> !individually || admits(usage, constraints));
                if (found != null) {
                    return Optional.of(found);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the result of {@link PlacementNodeUsage#admits}, and caches it for the next search with the same
     * constraints.
     */
    public boolean admits(PlacementNodeUsage usage, NodeConstraints constraints) {
        if (!constraints.areMany()) {
            return usage.admits(constraints);
        }
        if (!admissionsOf.equals(constraints)) {
            admissions.clear();
            admissionsOf = constraints;
        }
        return admissions.computeIfAbsent(usage, asked -> asked.admits(constraints));
    }

    private boolean admitsAll(PlacementNodeBucket bucket, NodeConstraints constraints) {
        PlacementNodeUsage any = bucket.any();
        return any != null && admits(any, constraints);
    }

    /**
     * Returns true if the constraints may admit one node of a bucket (a group of like nodes) and exclude another. Each
     * node must then be checked.
     */
    public boolean readsIndividually(NodeConstraints constraints) {
        return constraints.readsNameOr(namingKeys);
    }

    /**
     * Returns a counter that increases when all nodes are grouped into new buckets (groups of like nodes). Cached
     * results about buckets are then no longer valid.
     */
    public long groupings() {
        return groupings;
    }

    private int bucketsWith(ResourceName name) {
        return name.isExtended() ? byDevice.getOrDefault(name, List.of()).size() : Integer.MAX_VALUE;
    }

    /**
     * Returns the name of the only node that the pod can run on, if its constraints name a single node. A hostname
     * counts as a node name only if all nodes have a hostname that equals their name.
     */
    private Optional<String> onlyNode(NodeConstraints constraints) {
        Optional<String> named = constraints.onlyNode();
        return named.isEmpty() && bucketsWithOtherHostnames == 0 ? constraints.onlyHostname() : named;
    }
}
