package dev.sluice.api;

import dev.sluice.api.CapacityReport.Selection;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.Pod.Place;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Shows how much of the capacity of a cluster each namespace or pod uses. Each entry is about one resource of one
 * namespace or pod. Devices come first, and the entries of one resource are sorted by amount in descending order.
 */
public record AllocationReport(By by, List<AllocationEntry> entries) {

    private static final Comparator<AllocationEntry> LARGEST_FIRST = Comparator.comparing(
                    AllocationEntry::resource, CapacityReport.DEVICES_FIRST)
            .thenComparing(Comparator.comparingLong(AllocationEntry::allocated).reversed())
            .thenComparing(Comparator.comparingLong(AllocationEntry::waiting).reversed())
            .thenComparing(AllocationEntry::owner);

    /** States whether an entry shows the usage of a namespace or of a pod. */
    public enum By {
        NAMESPACE,
        POD
    }

    /**
     * The amount of one resource that one namespace or pod uses.
     *
     * @param owner the namespace, or the pod as {@code namespace/name}
     * @param pods the number of pods that request the resource
     * @param allocated the requests of pods that are bound to one of the selected nodes; cpu in millicores
     * @param waiting the requests of pods that are not bound to a node
     * @param allocatable the Allocatable of all selected nodes
     */
    public record AllocationEntry(
            String owner, ResourceName resource, long pods, long allocated, long waiting, long allocatable) {

        private AllocationEntry plus(long more, boolean bound) {
            return new AllocationEntry(
                    owner,
                    resource,
                    pods + 1,
                    Amounts.saturatedSum(allocated, bound ? more : 0),
                    Amounts.saturatedSum(waiting, bound ? 0 : more),
                    allocatable);
        }

        /** Returns the allocated amount in percent of Allocatable, rounded. Returns 0 if nothing is allocatable. */
        public long percent() {
            return allocatable == 0 ? 0 : Math.round(100.0 * allocated / allocatable);
        }
    }

    public AllocationReport {
        entries = List.copyOf(entries);
    }

    /** Creates the report from the pods on the selected nodes and the pods without a node. */
    public static AllocationReport of(List<Node> nodes, List<Pod> pods, Selection wanted, By by) {
        Amounts allocatable = nodes.stream()
                .filter(node -> wanted.node().test(node.name()))
                .map(Node::allocatable)
                .reduce(Amounts.NONE, Amounts::plus);
        Map<ResourceName, Map<String, AllocationEntry>> found = new TreeMap<>();
        for (Pod pod : pods) {
            boolean bound = pod.place() instanceof Place.Bound;
            if (!(pod.place() instanceof Place.Bound(var node)) || wanted.node().test(node)) {
                String owner = by == By.POD ? pod.name() : pod.namespace();
                pod.requests().forEach((resource, amount) -> {
                    if (amount > 0 && wanted.resource().test(resource)) {
                        found.computeIfAbsent(resource, _ -> new HashMap<>())
                                .compute(
                                        owner,
                                        (_, before) -> (before == null
                                                        ? new AllocationEntry(
                                                                owner, resource, 0, 0, 0, allocatable.get(resource))
                                                        : before)
                                                .plus(amount, bound));
                    }
                });
            }
        }
        List<AllocationEntry> entries = new ArrayList<>();
        found.values().forEach(each -> entries.addAll(each.values()));
        entries.sort(LARGEST_FIRST);
        return new AllocationReport(by, entries);
    }
}
