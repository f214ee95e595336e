package dev.sluice.ledger.placement;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The usage of every node, and a search for a node with enough free capacity. */
public final class NodeIndex {

    /** A cluster has a few PriorityClasses. For another priority, what is free has to be counted anew. */
    private static final int MOST_PRIORITIES = 8;

    /** What only few nodes have is kept for the pods that can run nowhere else. */
    private static final Comparator<NodeBucket> LEAST_SCARCE = Comparator.comparingInt(
                    (NodeBucket bucket) -> bucket.kind().devices().size())
            .thenComparingLong(bucket -> bucket.kind().devices().sum());

    private final Map<String, NodeUsage> usages = new HashMap<>();
    /** In the order of their names, which does not change when a node is removed and added again. */
    private final Set<NodeUsage> withReservations = new TreeSet<>(Comparator.comparing(NodeUsage::name));

    private final DeviceTotals totals = new DeviceTotals();

    private final Map<NodeBucket.BucketKey, NodeBucket> buckets = new HashMap<>();
    private final List<NodeBucket> bucketsInOrder = new ArrayList<>();
    /** Of these, the buckets whose nodes have another hostname than their name. */
    private int bucketsWithOtherHostnames;

    private final Map<ResourceName, List<NodeBucket>> byDevice = new HashMap<>();
    /** Whether nodes admit pods with the constraints that were asked about last, if these are many. */
    private final IdentityHashMap<NodeUsage, Boolean> admissions = new IdentityHashMap<>();

    private NodeConstraints admissionsOf = NodeConstraints.NONE;
    private Set<String> namingKeys = Set.of();
    private long groupings;
    /** The lowest priority that any pod has had. */
    private int lowest = Integer.MAX_VALUE;

    private int highest = Integer.MIN_VALUE;
    /** The priorities of the last preemptors; the one that was asked for least lately is first. */
    private final Set<Integer> priorities = new LinkedHashSet<>();

    public Collection<NodeUsage> usages() {
        return usages.values();
    }

    /** The nodes with reservations, by name. */
    public Set<NodeUsage> withReservations() {
        return withReservations;
    }

    /** The usage of this node, or of a ghost if no such node is known. */
    public NodeUsage usage(String name) {
        return usages.computeIfAbsent(name, _ -> new NodeUsage(name, withReservations, totals));
    }

    /** Null for a ghost. */
    @Nullable
    public NodeUsage known(String name) {
        NodeUsage usage = usages.get(name);
        return usage == null || usage.node() == null ? null : usage;
    }

    public boolean contains(String name) {
        return usages.containsKey(name);
    }

    /** What all known nodes have of each device together. */
    public Map<ResourceName, DeviceUsage> deviceTotals() {
        return totals.byDevice();
    }

    /** What each node has of its devices, by name; empty if more than {@code most} nodes have any. */
    public Map<String, Map<ResourceName, DeviceUsage>> devicesByNode(int most) {
        if (totals.nodes() > most) {
            return Map.of();
        }
        Map<String, Map<ResourceName, DeviceUsage>> byNode = new HashMap<>();
        for (NodeUsage usage : usages.values()) {
            usage.forEachDevice((device, own) ->
                    byNode.computeIfAbsent(usage.name(), _ -> new HashMap<>()).put(device, own));
        }
        return byNode;
    }

    /** How many of {@code device} are free on all nodes together, cordoned or not. */
    public long freeOf(ResourceName device) {
        return totals.availableOf(device);
    }

    /** Whether some node has this device. */
    public boolean isDevice(ResourceName name) {
        return byDevice.containsKey(name);
    }

    public void removeIfUnused(NodeUsage usage) {
        if (usage.isUnused()) {
            usages.remove(usage.name(), usage);
            admissions.remove(usage);
        }
    }

    /**
     * Takes over the state of the nodes that the event was about, or of all if they were grouped anew.
     *
     * @return the nodes that may have changed
     */
    public List<NodeUsage> update(NodeLedger nodes, NodeEvent event) {
        admissions.clear();
        namingKeys = nodes.namingKeys();
        Collection<String> names = groupings == nodes.groupings() ? subjects(nodes, event) : namesWith(nodes);
        groupings = nodes.groupings();
        List<NodeUsage> updated = new ArrayList<>(names.size());
        for (String name : names) {
            NodeUsage usage = usage(name);
            takeOver(usage, nodes.known(name));
            updated.add(usage);
        }
        return updated;
    }

    /** The names of the nodes that may have changed. */
    private Collection<String> subjects(NodeLedger nodes, NodeEvent event) {
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

    /** The names of all nodes here and there. */
    private Collection<String> namesWith(NodeLedger nodes) {
        nodes.all().forEach(known -> {
            var _ = usage(known.node().name());
        });
        return List.copyOf(usages.keySet());
    }

    private void takeOver(NodeUsage usage, @Nullable KnownNode known) {
        NodeBucket before = usage.bucket();
        NodeBucket after = known == null
                ? null
                : buckets.computeIfAbsent(
                        new NodeBucket.BucketKey(known.kind(), known.node().unschedulable()), this::newBucket);
        if (before != null && before != after) {
            before.remove(usage);
        }
        usage.setNode(known == null ? null : known.node());
        if (after != null && before != after) {
            after.put(usage);
        }
        if (before != null && before.isEmpty()) {
            drop(before);
        }
    }

    private NodeBucket newBucket(NodeBucket.BucketKey key) {
        NodeBucket bucket = new NodeBucket(key);
        priorities.forEach(bucket::addPriority);
        insert(bucket, bucketsInOrder);
        bucketsWithOtherHostnames += bucket.kind().hostnameIsName() ? 0 : 1;
        key.kind()
                .devices()
                .forEach((device, _) -> insert(bucket, byDevice.computeIfAbsent(device, _ -> new ArrayList<>())));
        return bucket;
    }

    private static void insert(NodeBucket bucket, List<NodeBucket> ordered) {
        int found = Collections.binarySearch(ordered, bucket, LEAST_SCARCE);
        ordered.add(found < 0 ? -found - 1 : found, bucket);
    }

    private void drop(NodeBucket bucket) {
        buckets.remove(bucket.key());
        bucketsInOrder.remove(bucket);
        bucketsWithOtherHostnames -= bucket.kind().hostnameIsName() ? 0 : 1;
        bucket.kind()
                .devices()
                .forEach((device, _) -> byDevice.getOrDefault(device, List.of()).remove(bucket));
    }

    /** There are pods of this priority. */
    public void sees(int priority) {
        lowest = Math.min(lowest, priority);
        highest = Math.max(highest, priority);
    }

    /** Whether there were ever pods of different priorities. */
    boolean hasPriorities() {
        return lowest < highest;
    }

    /** The first node in a fixed order that fits such a pod, so that nodes fill up one after the other. */
    public Optional<NodeUsage> find(Amounts need, NodeConstraints constraints) {
        return search(need, constraints, null);
    }

    /** As {@link #find}, for a pod that preempts all pods of lower priority. */
    public Optional<NodeUsage> findByPreemption(Amounts need, NodeConstraints constraints, PodPriority priority) {
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

    private Optional<NodeUsage> search(Amounts need, NodeConstraints constraints, @Nullable Integer priority) {
        Optional<String> only = onlyNode(constraints);
        if (only.isPresent()) {
            return Optional.ofNullable(usages.get(only.get()))
                    .filter(usage -> (priority == null ? usage.covers(need) : usage.coversFor(priority, need))
                            && admits(usage, constraints));
        }
        boolean individually = readsIndividually(constraints);
        Optional<ResourceName> rarest = need.smallestBy(this::bucketsWith);
        @Nullable ResourceName device = rarest.filter(ResourceName::isExtended).orElse(null);
        NodeBucket.BucketQuery wanted = new NodeBucket.BucketQuery(need, device, priority);
        for (NodeBucket bucket : device == null ? bucketsInOrder : byDevice.getOrDefault(device, List.of())) {
            if (bucket.mayHave(wanted) && (individually || admitsAll(bucket, constraints))) {
                NodeUsage found = bucket.first(wanted, usage -> !individually || admits(usage, constraints));
                if (found != null) {
                    return Optional.of(found);
                }
            }
        }
        return Optional.empty();
    }

    /** As {@link NodeUsage#admits}, and remembers the answer for the next candidate of the same decision. */
    public boolean admits(NodeUsage usage, NodeConstraints constraints) {
        if (!constraints.areMany()) {
            return usage.admits(constraints);
        }
        if (!admissionsOf.equals(constraints)) {
            admissions.clear();
            admissionsOf = constraints;
        }
        return admissions.computeIfAbsent(usage, asked -> asked.admits(constraints));
    }

    private boolean admitsAll(NodeBucket bucket, NodeConstraints constraints) {
        NodeUsage any = bucket.any();
        return any != null && admits(any, constraints);
    }

    /** Whether nodes of one bucket may differ for such a pod. */
    public boolean readsIndividually(NodeConstraints constraints) {
        return constraints.readsNameOr(namingKeys);
    }

    /** Rises when nodes are grouped anew, so that what was known of buckets is no longer true. */
    public long groupings() {
        return groupings;
    }

    private int bucketsWith(ResourceName name) {
        return name.isExtended() ? byDevice.getOrDefault(name, List.of()).size() : Integer.MAX_VALUE;
    }

    /** The one node that the pod can run on. A hostname is looked up if the hostname of every node is its name. */
    private Optional<String> onlyNode(NodeConstraints constraints) {
        Optional<String> named = constraints.onlyNode();
        return named.isEmpty() && bucketsWithOtherHostnames == 0 ? constraints.onlyHostname() : named;
    }
}
