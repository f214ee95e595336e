package dev.sluice.cluster;

import java.time.Instant;
import java.util.List;

/**
 * A change of nodes. The resourceVersion is 0 if the source does not have it.
 *
 * <p>A watcher publishes a complete list in pages between {@link NodeListBegun} and {@link NodeListEnded}, so that a
 * large list does not block the event loop of the ledger. If a list fails, no {@link NodeListEnded} follows. The next
 * list begins with a new {@link NodeListBegun}.
 */
public sealed interface NodeEvent extends ClusterEvent {

    /** A list begins. Until it ends, only pages follow. */
    record NodeListBegun() implements NodeEvent {}

    /** A page contains some nodes of the current list. They replace the former states of these nodes. */
    record NodesPage(List<Node> nodes) implements NodeEvent {
        public NodesPage {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * A list is complete. Nodes that were in no page were deleted. The list includes everything that was stored before
     * {@code asOf}. {@link Instant#MIN} means that the list may be older than the state that it replaces.
     */
    record NodeListEnded(long resourceVersion, Instant asOf) implements NodeEvent {}

    /** A complete list in one event. Nodes that are not in the list were deleted. */
    record NodesListed(List<Node> nodes, long resourceVersion) implements NodeEvent {
        public NodesListed {
            nodes = List.copyOf(nodes);
        }
    }

    /** A node was added or modified. */
    record NodeSeen(Node node) implements NodeEvent {}

    record NodeRemoved(String name, long resourceVersion) implements NodeEvent {}

    /** All changes of nodes up to this resourceVersion have been published. */
    record NodesBookmark(long resourceVersion) implements NodeEvent {}

    /**
     * All changes of nodes that were stored before this time of the gateway's clock have been published. Each event of
     * this type replaces the previous one, even if its time is earlier. {@link Instant#MIN} means that no such time is
     * known, because the last list may be older than the state before it.
     */
    record NodesSyncedUpTo(Instant moment) implements NodeEvent {}
}
