package dev.sluice.cluster;

import java.time.Instant;
import java.util.List;

/**
 * A change of nodes. The resourceVersion is 0 where the source has none.
 *
 * <p>A watcher publishes a complete list in pages between {@link NodeListBegun} and {@link NodeListEnded}, so that a
 * large one does not hold the event loop of the ledger. A list that fails has no end; the next one begins anew.
 */
public sealed interface NodeEvent extends ClusterEvent {

    /** Only pages follow until the list ends. */
    record NodeListBegun() implements NodeEvent {}

    /** Nodes of the list, whose state counts whatever was known of them. */
    record NodesPage(List<Node> nodes) implements NodeEvent {
        public NodesPage {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * Nodes that were in no page were deleted. Everything that was stored before {@code asOf} was published;
     * {@link Instant#MIN} where that is uncertain, because the list may be older than what it replaces.
     */
    record NodeListEnded(long resourceVersion, Instant asOf) implements NodeEvent {}

    /** A complete list at once: nodes that are not in it were deleted. */
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
