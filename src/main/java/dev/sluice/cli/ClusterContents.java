package dev.sluice.cli;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import java.util.List;

/**
 * A cluster at one moment.
 *
 * @param pods those that have not ended
 */
record ClusterContents(List<Node> nodes, List<Pod> pods) {
    ClusterContents {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
    }
}
