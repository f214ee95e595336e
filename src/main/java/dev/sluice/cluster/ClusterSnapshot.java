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
 * The nodes of the cluster at one moment, as decisions read them. It is immutable, and indexed so that a decision
 * evaluates kinds of nodes ({@link NodeGroup}) with the requested resource, those with most of it first.
 *
 * <p>Single nodes are evaluated only for a pod that names nodes by a label or field of their own.
 */
public final class ClusterSnapshot {

    /** Each costs an evaluation of all that the pod's author wrote about nodes. */
    private static final int MOST_KINDS_ASKED = 16;

    private final long generation;
    private final NodesByName nodes;
    private final Map<ResourceName, NodeGroupIndex> groupsByResource;
    private final Map<ResourceName, AllocatableSummary> allocatable;
    private final Set<ResourceName> devices;
    private final Set<String> namingKeys;
    private final boolean hostnamesAreNames;
    private final GpuTraces traces;
    /** The results of constraints for nodes, in a snapshot {@link #forOnePod}; else null. */
    private final @Nullable IdentityHashMap<Node, Boolean> cachedAnswers;
    /** Whose results these are. */
    private final @Nullable NodeConstraints cachedFor;

    private ClusterSnapshot(long generation, NodesByName nodes, Collection<NodeGroup> groups, Set<String> namingKeys) {
        this.generation = generation;
        this.nodes = nodes;
        this.namingKeys = namingKeys;
        this.groupsByResource = index(groups, namingKeys);
        this.allocatable = new HashMap<>();
        groupsByResource.forEach((name, having) -> allocatable.put(name, having.allocatable(_ -> true)));
        this.devices = devicesOf(groups);
        this.hostnamesAreNames = groups.stream().allMatch(group -> group.kind().hostnameIsName());
        this.traces = devices.stream().anyMatch(GpuVendor::isGpu) ? GpuTraces.NONE : GpuTraces.of(groups);
        this.cachedAnswers = null;
        this.cachedFor = null;
    }

    /** The same snapshot with a cache. */
    private ClusterSnapshot(ClusterSnapshot same, NodeConstraints cachedFor) {
        this.generation = same.generation;
        this.nodes = same.nodes;
        this.groupsByResource = same.groupsByResource;
        this.allocatable = same.allocatable;
        this.devices = same.devices;
        this.namingKeys = same.namingKeys;
        this.hostnamesAreNames = same.hostnamesAreNames;
        this.traces = same.traces;
        this.cachedAnswers = new IdentityHashMap<>();
        this.cachedFor = cachedFor;
    }

    /**
     * The snapshot for one decision about a pod with these constraints: where they have many parts, they are evaluated
     * for each node once and not for each candidate. Has one owner.
     */
    public ClusterSnapshot forOnePod(NodeConstraints constraints) {
        return constraints.areMany() ? new ClusterSnapshot(this, constraints) : this;
    }

    /** {@code members} are the same nodes by kind. */
    public static ClusterSnapshot of(
            long generation, NodesByName nodes, Map<NodeKind, List<Node>> members, Set<String> namingKeys) {
        List<NodeGroup> groups = new ArrayList<>(members.size());
        members.forEach((kind, alike) -> groups.add(new NodeGroup(kind, alike)));
        return new ClusterSnapshot(generation, nodes, groups, namingKeys);
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

    /** Increases with every change that can affect a decision. */
    public long generation() {
        return generation;
    }

    /** How many nodes there are. */
    public int size() {
        return nodes.size();
    }

    public Optional<Node> node(String name) {
        return nodes.get(name);
    }

    /** The extended resources in the capacity or the Allocatable of any node, also of unhealthy devices. */
    public Set<ResourceName> devices() {
        return devices;
    }

    /**
     * What a node tells of GPUs, although none offers any; empty where nothing speaks of one.
     *
     * @param asked the vendors of what the pod asks for
     */
    public Optional<GpuTrace> traceOfGpus(Predicate<ResourceName> isGpu, Set<GpuVendor> asked) {
        return traces.first(isGpu, asked);
    }

    /** The Allocatable of all nodes. */
    public AllocatableSummary allocatableOf(ResourceName name) {
        return allocatable.getOrDefault(name, AllocatableSummary.NONE);
    }

    /** The Allocatable of the nodes that the pod may use. */
    public AllocatableSummary allocatableOf(ResourceName name, NodeConstraints constraints) {
        Optional<String> only = onlyNode(constraints);
        if (only.isPresent()) {
            return node(only.get())
                    .filter(node -> allows(node, constraints))
                    .map(node -> AllocatableSummary.of(
                            NodeKind.devicesIn(node.allocatable()).get(name), 1))
                    .orElse(AllocatableSummary.NONE);
        }
        return constraints.mindsTaintsOnly()
                ? groupsWith(name).allocatable(constraints::toleratesLasting)
                : allocatableOfMatching(name, constraints);
    }

    private AllocatableSummary allocatableOfMatching(ResourceName name, NodeConstraints constraints) {
        AllocatableSummary admitted = AllocatableSummary.NONE;
        boolean individually = constraints.readsNameOr(namingKeys);
        for (NodeGroup group : groupsWith(name).withRarestOf(constraints.wantedLabels())) {
            if (individually) {
                long usable = group.nodes().stream()
                        .filter(node -> allows(node, constraints))
                        .count();
                admitted = admitted.plus(
                        AllocatableSummary.of(group.kind().devices().get(name), usable));
            } else if (allows(group.any(), constraints)) {
                admitted = admitted.plus(group.allocatableOf(name));
            }
        }
        return admitted;
    }

    /**
     * True when one node that the pod may use has Allocatable for all of {@code need}; cordons and temporary taints do
     * not count. False for an empty need.
     */
    public boolean offers(Amounts need, NodeConstraints constraints) {
        Optional<ResourceName> rarest = rarestOf(need);
        if (rarest.isEmpty()) {
            return false;
        }
        Optional<String> only = onlyNode(constraints);
        if (only.isPresent()) {
            return node(only.get())
                    .filter(node -> node.allocatable().covers(need) && allows(node, constraints))
                    .isPresent();
        }
        return someGroupOffers(need, rarest.get(), constraints);
    }

    /** The only node that can match, so that no other has to be evaluated. */
    private Optional<String> onlyNode(NodeConstraints constraints) {
        Optional<String> named = constraints.onlyNode();
        return named.isEmpty() && hostnamesAreNames ? constraints.onlyHostname() : named;
    }

    private boolean someGroupOffers(Amounts need, ResourceName rarest, NodeConstraints constraints) {
        boolean individually = constraints.readsNameOr(namingKeys);
        long wanted = need.get(rarest);
        for (NodeGroup group : groupsWith(rarest).withRarestOf(constraints.wantedLabels())) {
            if (group.kind().devices().get(rarest) < wanted) {
                return false;
            }
            if (group.kind().devices().covers(need) && admits(group, constraints, individually)) {
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

    /** The needed resource that the fewest kinds of nodes have, so that the search is shortest. */
    private Optional<ResourceName> rarestOf(Amounts need) {
        return need.smallestBy(name -> groupsWith(name).all().size());
    }

    /** The first distinct reasons why a pod may not use the nodes with this resource, by one node of each kind. */
    public List<NodeRefusal> refusalsWhere(ResourceName name, NodeConstraints constraints, int most) {
        return groupsWith(name).all().stream()
                .limit(MOST_KINDS_ASKED)
                .flatMap(group -> constraints.lastingRefusal(group.any()).stream())
                .distinct()
                .limit(most)
                .toList();
    }

    private NodeGroupIndex groupsWith(ResourceName name) {
        return groupsByResource.getOrDefault(name, NodeGroupIndex.EMPTY);
    }

    /** The nodes sorted by name. */
    public Collection<Node> nodesByName() {
        return nodes.sorted().values();
    }
}
