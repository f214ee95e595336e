package dev.sluice.cluster;

import java.util.List;

/** What a watcher tells the ledger. A resourceVersion of 0 means that the source gives none. */
public sealed interface ClusterEvent {

    /** A complete list: what it does not mention is gone. */
    record NodesListed(List<Node> nodes, long resourceVersion) implements ClusterEvent {
        public NodesListed {
            nodes = List.copyOf(nodes);
        }
    }

    /** A node was added or changed. */
    record NodeSeen(Node node) implements ClusterEvent {}

    record NodeRemoved(String name, long resourceVersion) implements ClusterEvent {}

    /** Everything up to this version has been told. */
    record Bookmark(long resourceVersion) implements ClusterEvent {}
}
