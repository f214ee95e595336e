package dev.sluice.ledger.placement;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeKind;

/** A node, the newest version that was seen of it, and its place among the nodes of its kind. */
final class KnownNode {

    private final Node node;
    private final NodesOfKind group;
    private long version;
    private int slot;

    KnownNode(Node node, long version, NodesOfKind group) {
        this.node = node;
        this.group = group;
        this.version = version;
    }

    /** It may bear an older version than the newest one, which is the same for every decision. */
    public Node node() {
        return node;
    }

    public NodeKind kind() {
        return group.kind();
    }

    NodesOfKind group() {
        return group;
    }

    long version() {
        return version;
    }

    /** The node was seen again, and decisions need nothing of what is different. */
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
