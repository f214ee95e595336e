package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;

/**
 * The extended resources that DRA hands out on a node.
 *
 * @param offered the devices that there are for certain, by the resource name for which they are handed out
 * @param doubtful the devices that there may be in addition
 * @param pluginAllocatable the Allocatable of the node as its kubelet reports it
 * @param pluginCapacity the capacity of the node as its kubelet reports it
 */
public record ClaimedDevices(Amounts offered, Amounts doubtful, Amounts pluginAllocatable, Amounts pluginCapacity) {

    public static final ClaimedDevices NONE =
            new ClaimedDevices(Amounts.NONE, Amounts.NONE, Amounts.NONE, Amounts.NONE);

    /** Returns true if the node hands out this resource by DRA, or may do so. */
    public boolean has(ResourceName name) {
        return offered.has(name) || doubtful.has(name);
    }
}
