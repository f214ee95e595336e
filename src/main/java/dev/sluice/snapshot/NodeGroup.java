package dev.sluice.snapshot;

import dev.sluice.node.Node;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import java.util.List;

/**
 * Nodes that every pod treats alike, unless it names a node: the same devices, taints and shared labels. What holds for
 * one of them holds for all, so that a decision looks at kinds of nodes and not at nodes.
 */
record NodeGroup(NodeKind kind, List<Node> nodes) {

    /** What each node can give pods. */
    Amounts devices() {
        return kind.devices();
    }

    /** What each node has, unhealthy devices included. */
    Amounts capacity() {
        return kind.capacity();
    }

    /** True when the hostname label of each node is its name. */
    boolean hostnameIsName() {
        return kind.hostnameIsName();
    }

    /** What all of them offer of {@code name}. */
    AllocatableSummary allocatableOf(ResourceName name) {
        return AllocatableSummary.of(devices().get(name), nodes.size());
    }

    Node any() {
        return nodes.getFirst();
    }
}
