package dev.sluice.ledger.placement;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeGroupProperties;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes with the same {@link NodeGroupProperties}, in no particular order. Snapshots share one list of these nodes
 * until a node is added or removed.
 */
final class PlacementNodesOfKind {

    private final NodeGroupProperties kind;
    private final List<PlacementNode> nodes = new ArrayList<>();
    /** The list for snapshots; null if the nodes have changed since it was built. */
    private @Nullable List<Node> list;

    PlacementNodesOfKind(NodeGroupProperties kind) {
        this.kind = kind;
    }

    NodeGroupProperties kind() {
        return kind;
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    void add(PlacementNode node) {
        node.moveTo(nodes.size());
        nodes.add(node);
        list = null;
    }

    /** Removes a node. The last node moves into the empty slot, so that the other nodes keep their slots. */
    void remove(PlacementNode node) {
        PlacementNode last = nodes.removeLast();
        if (last != node) {
            nodes.set(node.slot(), last);
            last.moveTo(node.slot());
        }
        list = null;
    }

    List<Node> list() {
        List<Node> made = list;
        if (made == null) {
            made = nodes.stream().map(PlacementNode::node).toList();
            list = made;
        }
        return made;
    }
}
