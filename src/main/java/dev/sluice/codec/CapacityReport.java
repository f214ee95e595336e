package dev.sluice.codec;

import dev.sluice.cluster.Amounts;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What a cluster has of extended resources: sums first, then node by node.
 *
 * @param generation of the snapshot it was taken from
 * @param nodes all nodes of the cluster, or those that were asked for, by name
 */
public record CapacityReport(long generation, List<Sum> cluster, List<NodeAmounts> nodes) {

    /**
     * One resource over all reported nodes.
     *
     * @param nodes how many have any of it allocatable
     * @param largest the most that one node has
     */
    public record Sum(ResourceName resource, long capacity, long allocatable, int nodes, long largest) {
        private Sum plus(Amount amount) {
            return new Sum(
                    resource,
                    capacity + amount.capacity,
                    allocatable + amount.allocatable,
                    nodes + (amount.allocatable > 0 ? 1 : 0),
                    Math.max(largest, amount.allocatable));
        }
    }

    public record NodeAmounts(String node, List<Amount> amounts) {
        public NodeAmounts {
            amounts = List.copyOf(amounts);
        }
    }

    /** One resource on one node; a key that the node has with the value 0 is there, too. */
    public record Amount(ResourceName resource, long capacity, long allocatable) {}

    public CapacityReport {
        cluster = List.copyOf(cluster);
        nodes = List.copyOf(nodes);
    }

    public static CapacityReport of(ClusterSnapshot snapshot) {
        return of(snapshot, _ -> true, _ -> true);
    }

    /** Only some nodes, and of them only some resources. */
    public static CapacityReport of(
            ClusterSnapshot snapshot, Predicate<String> wantedNode, Predicate<ResourceName> wantedResource) {
        List<NodeAmounts> nodes = new ArrayList<>();
        SortedMap<ResourceName, Sum> sums = new TreeMap<>();
        for (Node node : snapshot.nodesByName()) {
            if (wantedNode.test(node.name())) {
                NodeAmounts amounts = amounts(node, wantedResource);
                nodes.add(amounts);
                for (Amount amount : amounts.amounts()) {
                    Sum before = sums.getOrDefault(amount.resource(), new Sum(amount.resource(), 0, 0, 0, 0));
                    sums.put(amount.resource(), before.plus(amount));
                }
            }
        }
        return new CapacityReport(snapshot.generation(), new ArrayList<>(sums.values()), nodes);
    }

    private static NodeAmounts amounts(Node node, Predicate<ResourceName> wanted) {
        Amounts everything = node.capacity().plus(node.allocatable());
        List<Amount> amounts = new ArrayList<>();
        everything.forEach((name, _) -> {
            if (name.isExtended() && wanted.test(name)) {
                amounts.add(new Amount(
                        name, node.capacity().get(name), node.allocatable().get(name)));
            }
        });
        return new NodeAmounts(node.name(), amounts);
    }
}
