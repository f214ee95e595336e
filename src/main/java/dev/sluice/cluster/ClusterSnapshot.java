package dev.sluice.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The cluster at one moment, as every decision reads it: immutable, and indexed so that a decision looks at kinds of
 * nodes ({@link NodeGroup}) that have the wanted resource, the richest first, and never walks the nodes.
 *
 * <p>Only a pod that names nodes by a label or field of their own costs a look at single nodes.
 */
public final class ClusterSnapshot {

    private static final NodeGroup[] NOWHERE = {};

    private final long generation;
    private final Map<String, Node> nodes;
    private final Map<ResourceName, NodeGroup[]> groupsByResource;
    private final Map<ResourceName, Supply> supply;
    private final Set<ResourceName> devices;
    private final Set<String> namingKeys;

    private ClusterSnapshot(
            long generation, Map<String, Node> nodes, Collection<NodeGroup> groups, Set<String> namingKeys) {
        this.generation = generation;
        this.nodes = Map.copyOf(nodes);
        this.namingKeys = namingKeys;
        this.groupsByResource = index(groups);
        this.supply = new HashMap<>();
        groupsByResource.forEach((name, having) -> supply.put(name, Supply.of(name, List.of(having))));
        this.devices = devicesOf(nodes.values());
    }

    static ClusterSnapshot of(long generation, Map<NodeGroup.Key, List<Node>> members, Set<String> namingKeys) {
        Map<String, Node> nodes = new HashMap<>();
        List<NodeGroup> groups = new ArrayList<>();
        members.forEach((key, alike) -> {
            alike.forEach(node -> nodes.put(node.name(), node));
            groups.add(new NodeGroup(key.devices(), alike));
        });
        return new ClusterSnapshot(generation, nodes, groups, namingKeys);
    }

    private static Map<ResourceName, NodeGroup[]> index(Collection<NodeGroup> groups) {
        Map<ResourceName, List<NodeGroup>> lists = new HashMap<>();
        for (NodeGroup group : groups) {
            group.devices()
                    .forEach((name, _) ->
                            lists.computeIfAbsent(name, _ -> new ArrayList<>()).add(group));
        }
        Map<ResourceName, NodeGroup[]> index = new HashMap<>();
        lists.forEach((name, having) -> {
            having.sort(Comparator.comparingLong(
                            (NodeGroup group) -> group.devices().get(name))
                    .reversed());
            index.put(name, having.toArray(new NodeGroup[0]));
        });
        return index;
    }

    private static Set<ResourceName> devicesOf(Collection<Node> nodes) {
        Set<ResourceName> found = new HashSet<>();
        for (Node node : nodes) {
            collect(node.capacity(), found);
            collect(node.allocatable(), found);
        }
        return Set.copyOf(found);
    }

    private static void collect(Amounts amounts, Set<ResourceName> found) {
        amounts.forEach((name, amount) -> {
            if (amount > 0 && name.isExtended()) {
                found.add(name);
            }
        });
    }

    /** Rises with every change that a decision could see. */
    public long generation() {
        return generation;
    }

    public Collection<Node> nodes() {
        return nodes.values();
    }

    public Optional<Node> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    /** The extended resources that some node has, healthy or not: above 0 in capacity or allocatable. */
    public Set<ResourceName> devices() {
        return devices;
    }

    /** What nodes offer of {@code name}, whoever may use it. */
    public Supply supplyOf(ResourceName name) {
        return supply.getOrDefault(name, Supply.NONE);
    }

    /** What the nodes that this pod may use offer of {@code name}. */
    public Supply supplyOf(ResourceName name, NodeConstraints constraints) {
        Supply admitted = Supply.NONE;
        boolean individually = constraints.readsNameOr(namingKeys);
        for (NodeGroup group : groupsWith(name)) {
            if (individually) {
                long usable = group.nodes().stream()
                        .filter(node -> constraints.lastingRefusal(node).isEmpty())
                        .count();
                admitted = admitted.plus(group.devices().get(name), usable);
            } else if (constraints.lastingRefusal(group.any()).isEmpty()) {
                admitted =
                        admitted.plus(group.devices().get(name), group.nodes().size());
            }
        }
        return admitted;
    }

    /**
     * Some one node has Allocatable for all of {@code need} and the pod may use it; cordons and passing taints do not
     * count. A need of nothing is offered by nobody.
     */
    public boolean offers(Amounts need, NodeConstraints constraints) {
        Optional<ResourceName> rarest = rarestOf(need);
        if (rarest.isEmpty()) {
            return false;
        }
        Optional<String> only = constraints.onlyNode();
        if (only.isPresent()) {
            Node node = nodes.get(only.get());
            return node != null
                    && node.allocatable().covers(need)
                    && constraints.lastingRefusal(node).isEmpty();
        }
        return someGroupOffers(need, rarest.get(), constraints);
    }

    private boolean someGroupOffers(Amounts need, ResourceName rarest, NodeConstraints constraints) {
        boolean individually = constraints.readsNameOr(namingKeys);
        long wanted = need.get(rarest);
        for (NodeGroup group : groupsWith(rarest)) {
            if (group.devices().get(rarest) < wanted) {
                return false;
            }
            if (group.devices().covers(need) && admits(group, constraints, individually)) {
                return true;
            }
        }
        return false;
    }

    private static boolean admits(NodeGroup group, NodeConstraints constraints, boolean individually) {
        if (!individually) {
            return constraints.lastingRefusal(group.any()).isEmpty();
        }
        for (Node node : group.nodes()) {
            if (constraints.lastingRefusal(node).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** The needed resource that the fewest kinds of nodes have: where looking is cheapest. */
    private Optional<ResourceName> rarestOf(Amounts need) {
        return need.smallestBy(name -> groupsWith(name).length);
    }

    private NodeGroup[] groupsWith(ResourceName name) {
        return groupsByResource.getOrDefault(name, NOWHERE);
    }

    /** The nodes in the order of their names, for people to read. */
    public Collection<Node> nodesByName() {
        return new TreeMap<>(nodes).values();
    }
}
