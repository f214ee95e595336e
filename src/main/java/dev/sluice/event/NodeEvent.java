package dev.sluice.event;

import dev.sluice.node.Node;
import java.time.Instant;
import java.util.List;

/** A change of nodes. The resourceVersion is 0 where the source has none. */
public sealed interface NodeEvent extends ClusterEvent {

    /** A complete list: nodes that are not in it were deleted. */
    record NodesListed(List<Node> nodes, long resourceVersion) implements NodeEvent {
        public NodesListed {
            nodes = List.copyOf(nodes);
        }
    }

    /** A node was added or modified. */
    record NodeSeen(Node node) implements NodeEvent {}

    record NodeRemoved(String name, long resourceVersion) implements NodeEvent {}

    /** All changes of nodes up to this version were published. */
    record NodesBookmark(long resourceVersion) implements NodeEvent {}

    /**
     * All changes of nodes that were stored before this moment of the gateway's clock were published. It replaces the
     * moment before; {@link Instant#MIN} withdraws it, after a list that may be older than what it replaced.
     */
    record NodesSyncedUpTo(Instant moment) implements NodeEvent {}
}
