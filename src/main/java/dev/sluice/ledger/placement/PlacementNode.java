package dev.sluice.ledger.placement;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeGroupProperties;

/** A node with its newest known resourceVersion, and its position in the list of nodes of the same kind. */
final class PlacementNode {

    private final Node node;
    private final PlacementNodesOfKind group;
    private long version;
    private int slot;

    PlacementNode(Node node, long version, PlacementNodesOfKind group) {
        this.node = node;
        this.group = group;
        this.version = version;
    }

    /**
     * Returns the node. Its resourceVersion may be older than {@link #version()}, if the newer version differs only in
     * fields that decisions do not use.
     */
    public Node node() {
        return node;
    }

    public NodeGroupProperties kind() {
        return group.kind();
    }

    PlacementNodesOfKind group() {
        return group;
    }

    long version() {
        return version;
    }

    /** Records a newer version of the node that differs only in fields that decisions do not use. */
    void seenAgain(long resourceVersion) {
        version = resourceVersion;
    }

    int slot() {
        return slot;
    }

    void moveTo(int otherSlot) {
        slot = otherSlot;
    }
}
