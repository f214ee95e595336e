package dev.sluice.node;

import dev.sluice.quantity.Amounts;
import java.util.List;
import java.util.Map;

/**
 * A node as far as decisions read it.
 *
 * @param unschedulable cordoned
 * @param capacity everything the node has, unhealthy devices included
 * @param allocatable what pods can be given
 * @param resourceVersion orders the states of one node; 0 when the source gives none
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
        labels = labels instanceof Labels ? labels : Map.copyOf(labels);
        taints = List.copyOf(taints);
    }

    /** True when every decision treats both alike: only the resourceVersion may differ. */
    public boolean sameFor(Node other) {
        return name.equals(other.name)
                && unschedulable == other.unschedulable
                && allocatable.equals(other.allocatable)
                && capacity.equals(other.capacity)
                && taints.equals(other.taints)
                && labels.equals(other.labels);
    }
}
