package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;

/**
 * The nodes of one kind, which have the same devices, taints and shared labels. A decision evaluates one node instead
 * of all nodes of the group, unless the pod selects nodes by name.
 */
record NodeGroup(NodeGroupProperties kind, List<Node> nodes) {

    /** Returns the Allocatable of all nodes in the group. */
    ClusterSnapshotAllocatable allocatableOf(ResourceName name) {
        return ClusterSnapshotAllocatable.of(any(), name, nodes.size());
    }

    Node any() {
        return nodes.getFirst();
    }
}
