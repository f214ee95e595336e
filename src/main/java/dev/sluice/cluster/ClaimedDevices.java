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
public record ClaimedDevices(Amounts offered, Amounts doubtful, Amounts pluginAllocatable, Amounts pluginCapacity) {

    /** The largest number of devices that can be allocated to one claim (AllocationResultsMaxSize). */
    public static final int MOST_OF_ONE_POD = 32;

    public static final ClaimedDevices NONE =
            new ClaimedDevices(Amounts.NONE, Amounts.NONE, Amounts.NONE, Amounts.NONE);

    /**
     * Returns true if one pod can have this number of devices. The scheduler makes one claim for all resource names of
     * a pod, and a claim has at most {@link #MOST_OF_ONE_POD} devices.
     */
    public boolean fitOneClaim(Amounts need) {
        // Most nodes have no devices of DRA, and a decision asks about many nodes.
        return (offered.isEmpty() && doubtful.isEmpty()) || need.only(this::has).sum() <= MOST_OF_ONE_POD;
    }

    /** Returns true if DRA provides this resource on the node, or may provide it. */
    public boolean has(ResourceName name) {
        return offered.has(name) || doubtful.has(name);
    }
}
