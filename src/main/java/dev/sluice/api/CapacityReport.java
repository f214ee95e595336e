package dev.sluice.api;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.MalformedClusterObjects;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.LedgerNodeUsage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The amounts of resources in a cluster: capacity, Allocatable, allocated and reserved. The report contains the sums
 * over all selected nodes, and the amounts of each node. Devices come before cpu and memory.
 *
 * @param generation the generation of the snapshot
 * @param podsKnown false while the pods are not known, so that allocated and reserved amounts are 0
 * @param unplaced the number of pods and decisions for which no node has enough free capacity; no amount includes them
 * @param leftOut the malformed objects; no amount includes them
 * @param nodes the selected nodes, sorted by name
 */
public record CapacityReport(
        long generation,
        boolean podsKnown,
        long unplaced,
        LeftOut leftOut,
        List<Sum> cluster,
        List<NodeAmounts> nodes) {

    /**
     * The order in which resources are shown: devices first, then cpu, memory, ephemeral storage and pods, and then the
     * others.
     */
    public static final Comparator<ResourceName> DEVICES_FIRST =
            Comparator.comparingInt(CapacityReport::rank).thenComparing(Comparator.naturalOrder());

    private static final List<ResourceName> COMMON =
            List.of(ResourceName.CPU, ResourceName.MEMORY, ResourceName.EPHEMERAL_STORAGE, ResourceName.PODS);

    private static int rank(ResourceName name) {
        int common = COMMON.indexOf(name);
        return name.isExtended() ? -1 : common < 0 ? COMMON.size() : common;
    }

    /** The allocated and reserved amounts of each node. The amounts are unknown until the pods have been read. */
    public sealed interface ClusterUse {

        record UseUnknown() implements ClusterUse {}

        /**
         * The amounts as the ledger has counted them.
         *
         * @param byNode the usage of each node. The map is not copied, because {@code Ledger.usage} returns a new map
         *     for each call
         */
        record UseKnown(Map<String, LedgerNodeUsage> byNode, long unplaced) implements ClusterUse {
            public UseKnown {
                byNode = Collections.unmodifiableMap(byNode);
            }
        }
    }

    /** The nodes and pods that were left out because they are malformed. */
    public record LeftOut(MalformedClusterObjects nodes, MalformedClusterObjects pods) {
        public static final LeftOut NOTHING = new LeftOut(MalformedClusterObjects.NONE, MalformedClusterObjects.NONE);
    }

    /**
     * Selects the nodes and the resources of a report.
     *
     * @param secondNames true to show all implicit resource names of DeviceClasses; false to leave out the names that
     *     {@link CapacityReport#secondNames} returns
     */
    public record Selection(Predicate<String> node, Predicate<ResourceName> resource, boolean secondNames) {

        public Selection(Predicate<String> node, Predicate<ResourceName> resource) {
            this(node, resource, /* secondNames= */ false);
        }

        public static final Selection ALL = new Selection(_ -> true, _ -> true);
    }

    /**
     * The amounts of one resource, summed over all nodes of the report.
     *
     * @param nodes the number of nodes with Allocatable of the resource
     * @param largest the maximum Allocatable of one node
     * @param available the sum of the available amounts of all nodes
     * @param largestAvailable the maximum available amount of one node
     */
    public record Sum(Amount total, int nodes, long largest, long available, long largestAvailable) {

        private static Sum none(ResourceName resource) {
            return new Sum(new Amount(resource, 0, 0, 0, 0), 0, 0, 0, 0);
        }

        /** Adds each amount to the sum of its resource in {@code sums}. */
        private static void add(List<Amount> amounts, Map<ResourceName, Sum> sums) {
            for (Amount amount : amounts) {
                Sum before = sums.getOrDefault(amount.resource(), none(amount.resource()));
                sums.put(amount.resource(), before.plus(amount));
            }
        }

        private Sum plus(Amount amount) {
            return new Sum(
                    total.plus(amount),
                    nodes + (amount.allocatable > 0 ? 1 : 0),
                    Math.max(largest, amount.allocatable),
                    // The available amounts of the nodes are added. Total Allocatable minus total use would be too low
                    // if a node is overallocated, because that node takes no devices from other nodes.
                    Amounts.saturatedSum(available, amount.available()),
                    Math.max(largestAvailable, amount.available()));
        }

        public ResourceName resource() {
            return total.resource;
        }
    }

    public record NodeAmounts(String node, boolean cordoned, List<Amount> amounts) {
        public NodeAmounts {
            amounts = List.copyOf(amounts);
        }
    }

    /** The amounts of one resource on one node. The amounts of cpu are in millicores. */
    public record Amount(ResourceName resource, long capacity, long allocatable, long allocated, long reserved) {

        /**
         * Returns the available amount. If the node has lost devices, more may be allocated than it has. The available
         * amount is then 0.
         */
        public long available() {
            return Math.max(0, allocatable - Amounts.saturatedSum(allocated, reserved));
        }

        private Amount plus(Amount other) {
            return new Amount(
                    resource,
                    Amounts.saturatedSum(capacity, other.capacity),
                    Amounts.saturatedSum(allocatable, other.allocatable),
                    Amounts.saturatedSum(allocated, other.allocated),
                    Amounts.saturatedSum(reserved, other.reserved));
        }
    }

    public CapacityReport {
        cluster = List.copyOf(cluster);
        nodes = List.copyOf(nodes);
    }

    /** Returns the report on the devices of all nodes, without allocated and reserved amounts. */
    public static CapacityReport ofDevices(ClusterSnapshot snapshot) {
        return of(snapshot, new ClusterUse.UseUnknown(), new Selection(_ -> true, ResourceName::isExtended));
    }

    public static CapacityReport of(ClusterSnapshot snapshot, ClusterUse taken, Selection wanted) {
        Set<ResourceName> secondNames = secondNames(snapshot, taken, wanted);
        Predicate<ResourceName> shown = name -> wanted.resource().test(name) && !secondNames.contains(name);
        List<NodeAmounts> nodes = new ArrayList<>();
        SortedMap<ResourceName, Sum> sums = new TreeMap<>(DEVICES_FIRST);
        for (Node node : snapshot.nodesByName()) {
            if (wanted.node().test(node.name())) {
                List<Amount> amounts = amounts(node, usage(taken, node), shown);
                amounts.sort(Comparator.comparing(Amount::resource, DEVICES_FIRST));
                nodes.add(new NodeAmounts(node.name(), node.unschedulable(), amounts));
                Sum.add(amounts, sums);
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

    /**
     * Returns the implicit resource names of DeviceClasses that the report leaves out. Their devices also have another
     * resource name, so the report would show these devices twice. A name that a pod requests is not left out. The
     * result is empty if {@code wanted} asks for all implicit names.
     */
    static Set<ResourceName> secondNames(ClusterSnapshot snapshot, ClusterUse taken, Selection wanted) {
        return snapshot.devices().stream()
                .filter(name -> !wanted.secondNames() && snapshot.claimed().isSecondName(name))
                .filter(name -> !(taken instanceof ClusterUse.UseKnown known
                        && known.byNode().values().stream().anyMatch(usage -> usage.isRequested(name))))
                .collect(Collectors.toSet());
    }

    /** Returns a copy of this report that lists {@code unread} as the malformed objects that were left out. */
    public CapacityReport without(LeftOut unread) {
        return new CapacityReport(generation, podsKnown, unplaced, unread, cluster, nodes);
    }

    static LedgerNodeUsage usage(ClusterUse taken, Node node) {
        return switch (taken) {
            case ClusterUse.UseUnknown _ -> LedgerNodeUsage.NONE;
            case ClusterUse.UseKnown known -> known.byNode().getOrDefault(node.name(), LedgerNodeUsage.NONE);
        };
    }

    private static List<Amount> amounts(Node node, LedgerNodeUsage usage, Predicate<ResourceName> wanted) {
        List<Amount> amounts = new ArrayList<>();
        node.capacity().plus(node.allocatable()).forEach((name, _) -> {
            if (wanted.test(name) && (name.isCounted() || name.equals(ResourceName.PODS))) {
                amounts.add(new Amount(
                        name,
                        node.capacity().get(name),
                        node.allocatable().get(name),
                        usage.allocated().get(name),
                        usage.reserved().get(name)));
            }
        });
        return amounts;
    }
}
