package dev.sluice.doctor;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Holds, for each resource that a pod requests, the number of devices of a group of nodes and the number of free
 * devices.
 */
record DiagnosedSupply(List<DiagnosedNode> nodes, List<ResourceSupply> resources) {

    static final DiagnosedSupply NOT_ASKED = new DiagnosedSupply(List.of(), List.of());

    /**
     * Holds the sums for one resource over all nodes of the group.
     *
     * @param allocatable the number of devices that the nodes offer
     * @param used the number of devices in use
     * @param free the number of free devices
     * @param largestFree the largest number of free devices on one node
     * @param largestOn the name of the node with the most free devices
     */
    record ResourceSupply(
            ResourceName resource, long allocatable, long used, long free, long largestFree, String largestOn) {}

    /**
     * Returns the supply of a group of nodes.
     *
     * @param places the indexes of the nodes in {@code table}
     */
    static DiagnosedSupply of(DiagnosedNodeTable table, int[] places, Amounts asked, DiagnosedNodeUse.Asker asker) {
        List<ResourceSupply> resources = new ArrayList<>();
        asked.forEach((resource, _) -> resources.add(of(table, places, table.column(resource), asker)));
        return new DiagnosedSupply(Arrays.stream(places).mapToObj(table::node).toList(), resources);
    }

    private static ResourceSupply of(
            DiagnosedNodeTable table,
            int[] places,
            DiagnosedNodeTable.ResourceColumn column,
            DiagnosedNodeUse.Asker asker) {
        long allocatable = 0;
        long used = 0;
        long free = 0;
        long largestFree = 0;
        String largestOn = "";
        for (int place : places) {
            long here = Math.max(0, column.allocatable(place) - column.used(place, asker));
            allocatable = Amounts.saturatedSum(allocatable, column.allocatable(place));
            used = Amounts.saturatedSum(used, column.used(place, asker));
            free = Amounts.saturatedSum(free, here);
            if (here > largestFree || (largestOn.isEmpty() && column.allocatable(place) > 0)) {
                largestOn = table.node(place).name();
            }
            largestFree = Math.max(here, largestFree);
        }
        return new ResourceSupply(column.resource(), allocatable, used, free, largestFree, largestOn);
    }

    boolean isEnough(Amounts asked) {
        return resources.stream().allMatch(supply -> supply.free() >= asked.get(supply.resource()));
    }
}
