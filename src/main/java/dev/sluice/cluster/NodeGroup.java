package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;

/**
 * Nodes of one kind: they have the same devices, taints and shared labels, so a decision evaluates one of them for all,
 * unless the pod names a node.
 */
record NodeGroup(NodeKind kind, List<Node> nodes) {

    /** The Allocatable of all nodes in the group. */
    AllocatableSummary allocatableOf(ResourceName name) {
        return AllocatableSummary.of(kind.devices().get(name), nodes.size());
    }

    Node any() {
        return nodes.getFirst();
    }
}
