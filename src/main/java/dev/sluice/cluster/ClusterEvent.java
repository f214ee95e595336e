package dev.sluice.cluster;

/** A change in the cluster that a watcher or a snapshot file publishes. */
public sealed interface ClusterEvent permits NodeEvent, PodEvent {

    /** Returns the name of the object that has changed, for the log. */
    default String objectName() {
        return switch (this) {
            case NodeEvent.NodeSeen seen -> "node " + seen.node().name();
            case NodeEvent.NodeRemoved removed -> "node " + removed.name();
            case NodeEvent.NodesListed _, NodeEvent.NodeListBegun _, NodeEvent.NodesPage _, NodeEvent.NodeListEnded _ ->
                "the list of nodes";
            case NodeEvent.NodesBookmark _, NodeEvent.NodesSyncedUpTo _ -> "a bookmark of nodes";
            case PodEvent.PodSeen seen -> "pod " + seen.pod().name();
            case PodEvent.PodRemoved removed -> "pod " + removed.name();
            case PodEvent.PodsPage page
            when page.pods().size() == 1 -> "pod " + page.pods().getFirst().name();
            case PodEvent.PodsPage _, PodEvent.ListBegun _, PodEvent.ListEnded _ -> "the list of pods";
            case PodEvent.PodsBookmark _, PodEvent.PodsSyncedUpTo _ -> "a bookmark of pods";
        };
    }
}
