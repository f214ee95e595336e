package dev.sluice.event;

import dev.sluice.node.Node;
import java.time.Instant;
import java.util.List;

/** What happened to nodes. A resourceVersion of 0 means that the source gives none. */
public sealed interface NodeEvent extends ClusterEvent {

    /** A complete list: what it does not mention is gone. */
    record NodesListed(List<Node> nodes, long resourceVersion) implements NodeEvent {
        public NodesListed {
            nodes = List.copyOf(nodes);
        }
    }

    /** A node was added or changed. */
    record NodeSeen(Node node) implements NodeEvent {}

    record NodeRemoved(String name, long resourceVersion) implements NodeEvent {}

    /** Every change of a node up to this version has been told. */
    record NodesBookmark(long resourceVersion) implements NodeEvent {}

    /**
     * Every change of a node that was stored before this moment (of the gateway's own clock) has been told. It replaces
     * what was said before; {@link Instant#MIN} takes it back, after a list that may be older than what it replaced.
     */
    record NodesSyncedUpTo(Instant moment) implements NodeEvent {}
}
