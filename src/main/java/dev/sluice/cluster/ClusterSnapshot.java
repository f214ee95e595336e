package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the cluster at one point in time, as decisions read them. A snapshot is immutable. Nodes that differ
 * only in their names form a kind ({@link NodeGroup}), and a decision evaluates one node of each kind. A decision
 * considers only kinds that have the requested resource, beginning with the kinds that have the largest amount of it.
 *
 * <p>Nodes are evaluated one by one only if the pod selects nodes by their name or by a label that contains the name.
 */
public final class ClusterSnapshot {

    /**
     * The maximum number of kinds of nodes that are evaluated to explain why a pod may not use them. Each evaluation
     * checks all node constraints of the pod.
     */
    private static final int MOST_KINDS_EVALUATED = 16;

    private final long generation;
    private final ClusterNodesByName nodes;
    private final Map<ResourceName, NodeGroupIndex> groupsByResource;
    private final Map<ResourceName, ClusterSnapshotAllocatable> allocatable;
    private final Set<ResourceName> devices;
    private final Set<String> namingKeys;
    private final boolean hostnamesAreNames;
    private final ClusterGpuTraces traces;
    private final ClusterExtendedResources claimed;
    /** The kinds of nodes for which it is unknown how many devices DRA provides. */
    private final List<NodeGroup> doubtful;
    /**
     * Caches for each node whether the pod may use the node. This field is null except in a snapshot of
     * {@link #forOnePod}.
     */
    private final @Nullable IdentityHashMap<Node, Boolean> cachedAnswers;
    /** The constraints to which the cached results belong; null without a cache. */
    private final @Nullable NodeConstraints cachedFor;

    private ClusterSnapshot(
            long generation,
            ClusterNodesByName nodes,
            Collection<NodeGroup> groups,
            Set<String> namingKeys,
            ClusterExtendedResources claimed,
            @Nullable ClusterGpuEvidence plugin) {
        this.generation = generation;
        this.nodes = nodes;
        this.namingKeys = namingKeys;
        this.groupsByResource = index(groups, namingKeys);
        this.allocatable = new HashMap<>();
        groupsByResource.forEach((name, having) -> allocatable.put(name, having.allocatable(_ -> true)));
        this.devices = devicesOf(groups);
        this.hostnamesAreNames = groups.stream().allMatch(group -> group.kind().hostnameIsName());
        this.traces = devices.stream().anyMatch(GpuVendor::isGpu)
                ? ClusterGpuTraces.NONE
                : ClusterGpuTraces.of(groups, plugin);
        this.claimed = claimed;
        this.doubtful = groups.stream()
                .filter(group -> !group.kind().doubtful().isEmpty())
                .toList();
        this.cachedAnswers = null;
        this.cachedFor = null;
    }

    /** Copies a snapshot and adds a cache of results for these constraints. */
    private ClusterSnapshot(ClusterSnapshot same, NodeConstraints cachedFor) {
        this.generation = same.generation;
        this.nodes = same.nodes;
        this.groupsByResource = same.groupsByResource;
        this.allocatable = same.allocatable;
        this.devices = same.devices;
        this.namingKeys = same.namingKeys;
        this.hostnamesAreNames = same.hostnamesAreNames;
        this.traces = same.traces;
        this.claimed = same.claimed;
        this.doubtful = same.doubtful;
        this.cachedAnswers = new IdentityHashMap<>();
        this.cachedFor = cachedFor;
    }

    /**
     * Returns a snapshot for one decision about a pod with these constraints. If the constraints have many parts, the
     * snapshot caches for each node whether the pod may use it. A node is then evaluated only once, although the
     * decision has several candidates. The returned snapshot is not thread-safe.
     */
    public ClusterSnapshot forOnePod(NodeConstraints constraints) {
        return constraints.areMany() ? new ClusterSnapshot(this, constraints) : this;
    }

    /**
     * Creates a snapshot. {@code members} contains the nodes of {@code nodes}, grouped by kind.
     *
     * @param plugin the evidence that a device plugin for GPUs is installed; null if there is none
     */
    public static ClusterSnapshot of(
            long generation,
            ClusterNodesByName nodes,
            Map<NodeGroupProperties, List<Node>> members,
            Set<String> namingKeys,
            ClusterExtendedResources claimed,
            @Nullable ClusterGpuEvidence plugin) {
        List<NodeGroup> groups = new ArrayList<>(members.size());
        members.forEach((kind, alike) -> groups.add(new NodeGroup(kind, alike)));
        return new ClusterSnapshot(generation, nodes, groups, namingKeys, claimed, plugin);
    }

    private static Map<ResourceName, NodeGroupIndex> index(Collection<NodeGroup> groups, Set<String> namingKeys) {
        Map<ResourceName, List<NodeGroup>> lists = new HashMap<>();
        for (NodeGroup group : groups) {
            group.kind()
                    .devices()
                    .forEach((name, _) ->
                            lists.computeIfAbsent(name, _ -> new ArrayList<>()).add(group));
        }
        Map<ResourceName, NodeGroupIndex> index = new HashMap<>();
        lists.forEach((name, having) -> index.put(name, new NodeGroupIndex(name, having, namingKeys)));
        return index;
    }

    private static Set<ResourceName> devicesOf(Collection<NodeGroup> groups) {
        Set<ResourceName> found = new HashSet<>();
        for (NodeGroup group : groups) {
            group.kind().capacity().forEach((name, _) -> found.add(name));
            group.kind().devices().forEach((name, _) -> found.add(name));
        }
        return Set.copyOf(found);
    }

    /** Returns the generation, which increases with every change that can affect a decision. */
    public long generation() {
        return generation;
    }

    /** Returns the number of nodes. */
    public int size() {
        return nodes.size();
    }

    public Optional<Node> node(String name) {
        return nodes.get(name);
    }

    /**
     * Returns the extended resources in the capacity or the Allocatable of any node. They include resources whose
     * devices are all unhealthy.
     */
    public Set<ResourceName> devices() {
        return devices;
    }

    /**
     * Returns evidence that the cluster has GPUs although no node reports GPUs as a resource. Returns empty if neither
     * a node nor a device plugin indicates GPUs.
     *
     * @param asked the vendors of the resources that the pod requests
     */
    public Optional<ClusterGpuEvidence> traceOfGpus(Predicate<ResourceName> isGpu, Set<GpuVendor> asked) {
        return traces.first(isGpu, asked);
    }

    /** Returns a summary of the Allocatable of this resource on all nodes. */
    public ClusterSnapshotAllocatable allocatableOf(ResourceName name) {
        return allocatable.getOrDefault(name, ClusterSnapshotAllocatable.NONE);
    }

    /** Returns a summary of the Allocatable of this resource on the nodes that a pod with these constraints may use. */
    public ClusterSnapshotAllocatable allocatableOf(ResourceName name, NodeConstraints constraints) {
        Optional<String> only = onlyNode(constraints);
        if (only.isPresent()) {
            return node(only.get())
                    .filter(node -> allows(node, constraints))
                    .map(node -> name.isExtended()
                            ? ClusterSnapshotAllocatable.of(node, name, 1)
                            : ClusterSnapshotAllocatable.NONE)
                    .orElse(ClusterSnapshotAllocatable.NONE);
        }
        return constraints.dependsOnTaintsOnly()
                ? groupsWith(name).allocatable(constraints::toleratesLasting)
                : allocatableOfMatching(name, constraints);
    }

    private ClusterSnapshotAllocatable allocatableOfMatching(ResourceName name, NodeConstraints constraints) {
        ClusterSnapshotAllocatable admitted = ClusterSnapshotAllocatable.NONE;
        boolean individually = constraints.readsNameOr(namingKeys);
        for (NodeGroup group : groupsWith(name).withRarestOf(constraints.wantedLabels())) {
            if (individually) {
                long usable = group.nodes().stream()
                        .filter(node -> allows(node, constraints))
                        .count();
                admitted = admitted.plus(ClusterSnapshotAllocatable.of(group.any(), name, usable));
            } else if (allows(group.any(), constraints)) {
                admitted = admitted.plus(group.allocatableOf(name));
            }
        }
        return admitted;
    }

    /**
     * Returns true if the pod may use a node whose Allocatable covers all of {@code need}. Cordons and temporary taints
     * are ignored. Returns false if {@code need} is empty.
     */
    public boolean offers(Amounts need, NodeConstraints constraints) {
        Optional<ResourceName> rarest = rarestOf(need);
        if (rarest.isEmpty()) {
            return false;
        }
        Optional<String> only = onlyNode(constraints);
        if (only.isPresent()) {
            return node(only.get())
                    .filter(node -> node.allocatable().covers(need)
                            && node.byClaims().fitOneClaim(need)
                            && allows(node, constraints))
                    .isPresent();
        }
        return someGroupOffers(need, rarest.get(), constraints);
    }

    /** Returns the name of the node if the constraints allow only one node; empty otherwise. */
    private Optional<String> onlyNode(NodeConstraints constraints) {
        Optional<String> named = constraints.onlyNode();
        return named.isEmpty() && hostnamesAreNames ? constraints.onlyHostname() : named;
    }

    /** Returns the resource names for which DRA provides GPUs. */
    public ClusterExtendedResources claimed() {
        return claimed;
    }

    /**
     * Returns true if the pod may use a node that could have all of {@code need}. Devices that DRA may provide on the
     * node are counted as if they existed. Always returns true if the DeviceClasses cannot be read, because DRA may
     * then provide any resource.
     */
    public boolean mayOffer(Amounts need, NodeConstraints constraints) {
        if (claimed.isUnknown()) {
            return true;
        }
        if (doubtful.isEmpty()) {
            return false;
        }
        boolean individually = constraints.readsNameOr(namingKeys);
        for (NodeGroup group : doubtful) {
            if (group.kind().devices().plus(group.kind().doubtful()).covers(need)
                    && group.any().byClaims().fitOneClaim(need)
                    && admits(group, constraints, individually)) {
                return true;
            }
        }
        return false;
    }

    private boolean someGroupOffers(Amounts need, ResourceName rarest, NodeConstraints constraints) {
        boolean individually = constraints.readsNameOr(namingKeys);
        long wanted = need.get(rarest);
        for (NodeGroup group : groupsWith(rarest).withRarestOf(constraints.wantedLabels())) {
            if (group.kind().devices().get(rarest) < wanted) {
                return false;
            }
            if (group.kind().devices().covers(need)
                    && group.any().byClaims().fitOneClaim(need)
                    && admits(group, constraints, individually)) {
                return true;
            }
        }
        return false;
    }

    private boolean allows(Node node, NodeConstraints constraints) {
        return (cachedAnswers == null || !constraints.equals(cachedFor))
                ? constraints.lastingRefusal(node).isEmpty()
                : cachedAnswers.computeIfAbsent(
                        node, asked -> constraints.lastingRefusal(asked).isEmpty());
    }

    private boolean admits(NodeGroup group, NodeConstraints constraints, boolean individually) {
        if (!individually) {
            return allows(group.any(), constraints);
        }
        for (Node node : group.nodes()) {
            if (allows(node, constraints)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the resource in {@code need} that the fewest kinds of nodes have, so that a search has to check the
     * fewest kinds.
     */
    private Optional<ResourceName> rarestOf(Amounts need) {
        return need.smallestBy(name -> groupsWith(name).all().size());
    }

    /**
     * Returns different reasons why a pod with these constraints may not use nodes that have this resource. Only one
     * node of each kind is evaluated.
     *
     * @param most the maximum number of reasons
     */
    public List<PodNodeMismatch> refusalsWhere(ResourceName name, NodeConstraints constraints, int most) {
        return groupsWith(name).all().stream()
                .limit(MOST_KINDS_EVALUATED)
                .flatMap(group -> constraints.lastingRefusal(group.any()).stream())
                .distinct()
                .limit(most)
                .toList();
    }

    private NodeGroupIndex groupsWith(ResourceName name) {
        return groupsByResource.getOrDefault(name, NodeGroupIndex.EMPTY);
    }

    /** Returns the nodes sorted by name. */
    public Collection<Node> nodesByName() {
        return nodes.sorted().values();
    }
}
