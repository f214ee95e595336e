package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Stores the numbers of each resource for all nodes in arrays. A pod can then be compared with all nodes without a
 * lookup by name for each node. A node is identified by its index in the list of nodes sorted by name.
 */
final class DiagnosedNodeTable {

    /**
     * Limits the number of cached resources. The pods of a cluster usually request about ten resources, but a user
     * could request a new name in each pod. Each cached resource takes 28 bytes per node.
     */
    private static final int MOST_COLUMNS = 32;

    private final List<DiagnosedNode> nodes;
    private final Map<ResourceName, ResourceColumn> columns = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ResourceName, ResourceColumn> eldest) {
            return size() > MOST_COLUMNS;
        }
    };
    private final Map<Set<GpuVendor>, int[]> byVendors = new HashMap<>();

    DiagnosedNodeTable(List<DiagnosedNode> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    DiagnosedNode node(int place) {
        return nodes.get(place);
    }

    List<DiagnosedNode> nodes() {
        return nodes;
    }

    /** Returns the indexes of the nodes that have hardware of all given vendors, in ascending order. */
    int[] with(Set<GpuVendor> vendors) {
        return byVendors.computeIfAbsent(
                vendors,
                wanted -> IntStream.range(0, nodes.size())
                        .filter(place -> wanted.stream().allMatch(nodes.get(place)::has))
                        .toArray());
    }

    /** Returns true if the kubelet of some node reports the resource. */
    boolean isOnAny(ResourceName resource) {
        return nodes.stream().anyMatch(node -> node.facts().node().capacity().has(resource));
    }

    ResourceColumn column(ResourceName resource) {
        ResourceColumn known = columns.get(resource);
        if (known == null) {
            known = new ResourceColumn(nodes, resource);
            columns.put(resource, known);
        }
        return known;
    }

    /** Holds the requested amount of one resource, and the numbers of that resource on all nodes. */
    record AskedColumn(ResourceColumn column, long amount) {}

    List<AskedColumn> asked(Amounts amounts) {
        List<AskedColumn> asked = new ArrayList<>();
        amounts.forEach((resource, amount) -> asked.add(new AskedColumn(column(resource), amount)));
        return asked;
    }

    /** Holds the numbers of one resource on all nodes. */
    static final class ResourceColumn {

        private final List<DiagnosedNode> nodes;
        private final ResourceName resource;
        private final long[] allocatable;
        private final long[] taken;
        private final long[] leaving;
        private final List<List<FindingCode>> faults;
        private final Map<FindingCode, @Nullable Long[]> supplies = new EnumMap<>(FindingCode.class);

        private ResourceColumn(List<DiagnosedNode> nodes, ResourceName resource) {
            this.nodes = nodes;
            this.resource = resource;
            allocatable =
                    nodes.stream().mapToLong(node -> node.allocatable(resource)).toArray();
            taken = nodes.stream().mapToLong(node -> node.use().taken(resource)).toArray();
            leaving = nodes.stream()
                    .mapToLong(node -> node.use().leaving(resource))
                    .toArray();
            Optional<GpuVendor> vendor = GpuVendor.of(resource);
            faults = vendor.isEmpty()
                    ? List.of()
                    : nodes.stream()
                            .map(node -> node.has(vendor.get())
                                    ? NodeFaults.about(node, resource, vendor.get())
                                    : List.<FindingCode>of())
                            .toList();
        }

        ResourceName resource() {
            return resource;
        }

        long allocatable(int place) {
            return allocatable[place];
        }

        long used(int place, DiagnosedNodeUse.Asker asker) {
            DiagnosedNodeUse use = nodes.get(place).use();
            return use.hasNominated() ? use.of(resource, asker) : taken[place];
        }

        long leaving(int place) {
            return leaving[place];
        }

        /** Returns the faults that keep the node from offering more devices of this GPU resource. */
        List<FindingCode> faults(int place) {
            return faults.isEmpty() ? List.of() : faults.get(place);
        }

        /** Returns the amount of this resource that the node would offer after the fault is repaired. */
        long supply(FindingCode fault, int place) {
            @Nullable Long[] supply = supplies.computeIfAbsent(fault, _ -> new Long[nodes.size()]);
            @Nullable Long known = supply[place];
            if (known == null) {
                known = DiagnosedRepairSupply.after(fault, nodes.get(place), resource);
                supply[place] = known;
            }
            return known;
        }
    }
}
