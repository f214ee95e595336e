package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;
import java.util.List;
import java.util.Map;

/**
 * The parts of a node that decisions read.
 *
 * @param capacity all devices, including unhealthy ones
 * @param resourceVersion 0 if the source does not have it
 */
public record Node(
        String name,
        Map<String, String> labels,
        List<Taint> taints,
        boolean unschedulable,
        Amounts capacity,
        Amounts allocatable,
        long resourceVersion) {

    public Node {
        // The API server refuses negative quantities of a node, but a file may contain them.
        capacity = capacity.within(0, Long.MAX_VALUE);
        allocatable = allocatable.within(0, Long.MAX_VALUE);
        labels = labels instanceof Labels ? labels : Map.copyOf(labels);
        taints = List.copyOf(taints);
    }

    /** Returns true if the nodes are equal except for their resourceVersion. */
    public boolean sameFor(Node other) {
        return name.equals(other.name)
                && unschedulable == other.unschedulable
                && allocatable.equals(other.allocatable)
                && capacity.equals(other.capacity)
                && taints.equals(other.taints)
                && labels.equals(other.labels);
    }
}
