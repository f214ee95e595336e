package dev.sluice.cluster;

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
    record Bookmark(long resourceVersion) implements NodeEvent {}
}
