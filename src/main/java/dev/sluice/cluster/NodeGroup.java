package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;

/**
 * The nodes of one kind. They have the same devices, the same taints and the same labels. Labels that contain the name
 * of the node may differ. A decision evaluates one node instead of all nodes of the group, unless the pod selects nodes
 * by name.
 */
record NodeGroup(NodeGroupProperties kind, List<Node> nodes) {

    /** Returns a summary of the Allocatable of this resource on all nodes of the group. */
    ClusterSnapshotAllocatable allocatableOf(ResourceName name) {
        return ClusterSnapshotAllocatable.of(any(), name, nodes.size());
    }

    Node any() {
        return nodes.getFirst();
    }
}
