package dev.sluice.decision;

import dev.sluice.event.ClusterEvent;
import dev.sluice.event.NodeEvent;
import dev.sluice.event.PodEvent;

/** The name of the object of an event, for the log. */
final class EventSubject {

    private EventSubject() {}

    static String of(ClusterEvent event) {
        return switch (event) {
            case NodeEvent.NodeSeen seen -> "node " + seen.node().name();
            case NodeEvent.NodeRemoved removed -> "node " + removed.name();
            case NodeEvent.NodesListed _ -> "the list of nodes";
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
