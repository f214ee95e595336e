package dev.sluice.capacity;

import dev.sluice.event.UnreadableObjects;
import dev.sluice.ledger.Usage;
import dev.sluice.node.Node;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a cluster has, and what is taken of it: sums first, then node by node. Devices come before processors and
 * memory.
 *
 * @param generation of the snapshot it was taken from
 * @param podsKnown false while nothing can be said of what is taken: those numbers are 0 then, and mean nothing
 * @param unplaced pods and decisions for which there is no room now, so that they stand in no number
 * @param leftOut what could not be read, so that it stands in no number
 * @param nodes all nodes of the cluster, or those that were asked for, by name
 */
public record CapacityReport(
        long generation,
        boolean podsKnown,
        long unplaced,
        LeftOut leftOut,
        List<Sum> cluster,
        List<NodeAmounts> nodes) {

    /** The order in which resources are shown. */
    public static final Comparator<ResourceName> DEVICES_FIRST =
            Comparator.comparingInt(CapacityReport::rank).thenComparing(Comparator.naturalOrder());

    private static final List<ResourceName> COMMON =
            List.of(ResourceName.CPU, ResourceName.MEMORY, ResourceName.EPHEMERAL_STORAGE, ResourceName.PODS);

    private static int rank(ResourceName name) {
        int common = COMMON.indexOf(name);
        return name.isExtended() ? -1 : common < 0 ? COMMON.size() : common;
    }

    /** What pods take of nodes. */
    public sealed interface ClusterUse {

        /** The pods are not known. */
        record UseUnknown() implements ClusterUse {}

        /**
         * They are.
         *
         * @param byNode of every known node
         * @param unplaced pods and decisions for which there is no room now
         */
        record UseKnown(Map<String, Usage> byNode, long unplaced) implements ClusterUse {
            public UseKnown {
                byNode = Map.copyOf(byNode);
            }
        }
    }

    /** Nodes and pods that could not be read. */
    public record LeftOut(UnreadableObjects nodes, UnreadableObjects pods) {
        public static final LeftOut NOTHING = new LeftOut(UnreadableObjects.NONE, UnreadableObjects.NONE);
    }

    /** Which nodes are meant, and what of them. */
    public record Selection(Predicate<String> node, Predicate<ResourceName> resource) {
        public static final Selection ALL = new Selection(_ -> true, _ -> true);
    }

    /**
     * One resource over all reported nodes.
     *
     * @param nodes how many have any of it allocatable
     * @param largest the most that one node has allocatable
     * @param available on each node by itself, added up
     * @param largestAvailable the most that one node has available
     */
    public record Sum(Amount total, int nodes, long largest, long available, long largestAvailable) {

        private static Sum none(ResourceName resource) {
            return new Sum(new Amount(resource, 0, 0, 0, 0), 0, 0, 0, 0);
        }

        private Sum plus(Amount amount) {
            return new Sum(
                    total.plus(amount),
                    nodes + (amount.allocatable > 0 ? 1 : 0),
                    Math.max(largest, amount.allocatable),
                    // Not that of the sums: what one node has given too much is no less on another.
                    available + amount.available(),
                    Math.max(largestAvailable, amount.available()));
        }

        public ResourceName resource() {
            return total.resource;
        }
    }

    public record NodeAmounts(String node, Schedulable schedulable, List<Amount> amounts) {
        public NodeAmounts {
            amounts = List.copyOf(amounts);
        }
    }

    /** Whether the scheduler may place pods on a node at all. */
    public enum Schedulable {
        YES,
        CORDONED
    }

    /** One resource on one node, cpu in thousandths; a key that the node has with the value 0 is there, too. */
    public record Amount(ResourceName resource, long capacity, long allocatable, long allocated, long reserved) {

        /** Never below 0: a node may hold more than it has, after its devices have become fewer. */
        public long available() {
            return Math.max(0, allocatable - allocated - reserved);
        }

        private Amount plus(Amount other) {
            return new Amount(
                    resource,
                    capacity + other.capacity,
                    allocatable + other.allocatable,
                    allocated + other.allocated,
                    reserved + other.reserved);
        }
    }

    public CapacityReport {
        cluster = List.copyOf(cluster);
        nodes = List.copyOf(nodes);
    }

    /** What nodes offer of devices, whatever of it is taken. */
    public static CapacityReport ofDevices(ClusterSnapshot snapshot) {
        return of(snapshot, new ClusterUse.UseUnknown(), new Selection(_ -> true, ResourceName::isExtended));
    }

    public static CapacityReport of(ClusterSnapshot snapshot, ClusterUse taken, Selection wanted) {
        List<NodeAmounts> nodes = new ArrayList<>();
        SortedMap<ResourceName, Sum> sums = new TreeMap<>(DEVICES_FIRST);
        for (Node node : snapshot.nodesByName()) {
            if (wanted.node().test(node.name())) {
                NodeAmounts amounts = amounts(node, usage(taken, node), wanted);
                nodes.add(amounts);
                for (Amount amount : amounts.amounts()) {
                    Sum before = sums.getOrDefault(amount.resource(), Sum.none(amount.resource()));
                    sums.put(amount.resource(), before.plus(amount));
                }
            }
        }
        long unplaced = taken instanceof ClusterUse.UseKnown known ? known.unplaced() : 0;
        return new CapacityReport(
                snapshot.generation(),
                taken instanceof ClusterUse.UseKnown,
                unplaced,
                LeftOut.NOTHING,
                new ArrayList<>(sums.values()),
                nodes);
    }

    /** The same of a cluster in which some objects could not be read. */
    public CapacityReport without(LeftOut unread) {
        return new CapacityReport(generation, podsKnown, unplaced, unread, cluster, nodes);
    }

    private static Usage usage(ClusterUse taken, Node node) {
        return switch (taken) {
            case ClusterUse.UseUnknown _ -> Usage.NONE;
            case ClusterUse.UseKnown known -> known.byNode().getOrDefault(node.name(), Usage.NONE);
        };
    }

    private static NodeAmounts amounts(Node node, Usage usage, Selection wanted) {
        Amounts everything = node.capacity().plus(node.allocatable());
        TreeSet<ResourceName> names = new TreeSet<>(DEVICES_FIRST);
        everything.forEach((name, _) -> {
            if ((name.isCounted() || name.equals(ResourceName.PODS))
                    && wanted.resource().test(name)) {
                names.add(name);
            }
        });
        return new NodeAmounts(
                node.name(),
                node.unschedulable() ? Schedulable.CORDONED : Schedulable.YES,
                names.stream()
                        .map(name -> new Amount(
                                name,
                                node.capacity().get(name),
                                node.allocatable().get(name),
                                usage.allocated().get(name),
                                usage.reserved().get(name)))
                        .toList());
    }
}
