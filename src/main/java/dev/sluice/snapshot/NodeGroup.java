package dev.sluice.snapshot;

import dev.sluice.node.Node;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import java.util.List;

/**
 * Nodes of one kind: they have the same devices, taints and shared labels, so a decision evaluates one of them for all,
 * unless the pod names a node.
 */
record NodeGroup(NodeKind kind, List<Node> nodes) {

    /** The devices in the Allocatable of each node. */
    Amounts devices() {
        return kind.devices();
    }

    /** The devices of each node, including unhealthy ones. */
    Amounts capacity() {
        return kind.capacity();
    }

    /** True when the hostname label of each node is its name. */
    boolean hostnameIsName() {
        return kind.hostnameIsName();
    }

    /** The Allocatable of all nodes in the group. */
    AllocatableSummary allocatableOf(ResourceName name) {
        return AllocatableSummary.of(devices().get(name), nodes.size());
    }

    Node any() {
        return nodes.getFirst();
    }
}
