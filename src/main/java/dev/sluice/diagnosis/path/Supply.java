package dev.sluice.diagnosis.path;

import dev.sluice.diagnosis.node.NodeStudy;
import dev.sluice.diagnosis.node.NodeUse;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;

/** What nodes have of the resources that a pod asks for, and how much of it is free. */
public record Supply(List<NodeStudy> nodes, List<ResourceSupply> resources) {

    static final Supply NOT_ASKED = new Supply(List.of(), List.of());

    /**
     * The sums of one resource.
     *
     * @param largestOn the node with the most free devices
     */
    public record ResourceSupply(
            ResourceName resource, long allocatable, long used, long free, long largestFree, String largestOn) {}

    static Supply of(List<NodeStudy> nodes, Amounts asked, NodeUse.Asker asker) {
        List<ResourceSupply> resources = new ArrayList<>();
        asked.forEach((resource, _) -> resources.add(of(nodes, resource, asker)));
        return new Supply(nodes, resources);
    }

    private static ResourceSupply of(List<NodeStudy> nodes, ResourceName resource, NodeUse.Asker asker) {
        ResourceSupply sum = new ResourceSupply(resource, 0, 0, 0, 0, "");
        for (NodeStudy node : nodes) {
            long allocatable = node.allocatable(resource);
            long used = node.use().of(resource, asker);
            long free = Math.max(0, allocatable - used);
            boolean larger = free > sum.largestFree() || (sum.largestOn().isEmpty() && allocatable > 0);
            sum = new ResourceSupply(
                    resource,
                    sum.allocatable() + allocatable,
                    sum.used() + used,
                    sum.free() + free,
                    Math.max(free, sum.largestFree()),
                    larger ? node.name() : sum.largestOn());
        }
        return sum;
    }

    boolean isEnough(Amounts asked) {
        return resources.stream().allMatch(supply -> supply.free() >= asked.get(supply.resource()));
    }
}
