package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;

/**
 * The parts of a node that decisions read.
 *
 * @param capacity the capacity, which includes unhealthy devices
 * @param allocatable the Allocatable that the kubelet reports, and the devices that DRA certainly provides
 * @param resourceVersion 0 if the source does not have it
 * @param byClaims the devices that DRA provides
 */
public record Node(
        String name,
        Map<String, String> labels,
        List<Taint> taints,
        boolean unschedulable,
        Amounts capacity,
        Amounts allocatable,
        long resourceVersion,
        NodeExtendedResources byClaims) {

    public Node {
        // The API server refuses negative quantities of a node, but a file may contain them.
        capacity = capacity.within(0, Long.MAX_VALUE);
        allocatable = allocatable.within(0, Long.MAX_VALUE);
        labels = labels instanceof Labels ? labels : Map.copyOf(labels);
        taints = List.copyOf(taints);
    }

    /** Creates a node as its kubelet reports it. */
    public Node(
            String name,
            Map<String, String> labels,
            List<Taint> taints,
            boolean unschedulable,
            Amounts capacity,
            Amounts allocatable,
            long resourceVersion) {
        this(name, labels, taints, unschedulable, capacity, allocatable, resourceVersion, NodeExtendedResources.NONE);
    }

    /** Returns the node as its kubelet reports it, without the devices that DRA provides. */
    public Node withoutClaims() {
        return byClaims.equals(NodeExtendedResources.NONE)
                ? this
                : new Node(
                        name,
                        labels,
                        taints,
                        unschedulable,
                        byClaims.pluginCapacity(),
                        byClaims.pluginAllocatable(),
                        resourceVersion);
    }

    /**
     * Returns a copy of the node with these devices of DRA instead of its own.
     *
     * @param offered must not contain a resource of which the kubelet reports more than 0
     */
    public Node withClaims(Amounts offered, Amounts doubtful) {
        Node own = withoutClaims();
        return offered.isEmpty() && doubtful.isEmpty()
                ? own
                : new Node(
                        name,
                        labels,
                        taints,
                        unschedulable,
                        own.capacity.replacedBy(offered),
                        own.allocatable.replacedBy(offered),
                        resourceVersion,
                        new NodeExtendedResources(offered, doubtful, own.allocatable, own.capacity));
    }

    /** Returns true if DRA provides this resource on the node, or may provide it. */
    public boolean claims(ResourceName resource) {
        return byClaims.has(resource);
    }

    /** Returns how many devices of this resource one pod can use on the node if no other pod uses devices there. */
    public long mostForOnePod(ResourceName resource) {
        long all = allocatable.get(resource);
        return claims(resource) ? Math.min(all, NodeExtendedResources.MOST_OF_ONE_POD) : all;
    }

    /** Returns true if the nodes are equal except for their resourceVersion. */
    public boolean sameFor(Node other) {
        return name.equals(other.name)
                && unschedulable == other.unschedulable
                && allocatable.equals(other.allocatable)
                && capacity.equals(other.capacity)
                && byClaims.equals(other.byClaims)
                && taints.equals(other.taints)
                && labels.equals(other.labels);
    }
}
