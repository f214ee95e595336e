package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;

/**
 * The extended resources that DRA provides on a node.
 *
 * @param offered the number of devices that certainly exist, by resource name
 * @param doubtful the number of devices that may exist in addition
 * @param pluginAllocatable the Allocatable of the node as its kubelet reports it
 * @param pluginCapacity the capacity of the node as its kubelet reports it
 */
public record NodeExtendedResources(
        Amounts offered, Amounts doubtful, Amounts pluginAllocatable, Amounts pluginCapacity) {

    /**
     * The maximum number of devices that can be allocated to one ResourceClaim (AllocationResultsMaxSize). A pod has
     * one ResourceClaim for all its extended resources.
     */
    public static final int MOST_OF_ONE_POD = 32;

    public static final NodeExtendedResources NONE =
            new NodeExtendedResources(Amounts.NONE, Amounts.NONE, Amounts.NONE, Amounts.NONE);

    /** Returns true if DRA can provide all needed devices to one pod. They have to fit into one ResourceClaim. */
    public boolean fitOneClaim(Amounts need) {
        // The first check saves time. A decision calls this method for many nodes, and most of them have no DRA
        // devices.
        return (offered.isEmpty() && doubtful.isEmpty()) || need.only(this::has).sum() <= MOST_OF_ONE_POD;
    }

    /** Returns true if DRA provides this resource on the node, or may provide it. */
    public boolean has(ResourceName name) {
        return offered.has(name) || doubtful.has(name);
    }
}
