package dev.sluice.watch;

import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.codec.NodeDecoder;
import dev.sluice.codec.ObjectDecoder;
import dev.sluice.codec.ObjectMeta;
import java.util.List;

/** A kind of object that can be listed and watched, and what its changes are called in the cluster's events. */
interface Watched<T> {

    /** Relative to the API server's root. */
    String path();

    /** A decoder of its own for each caller. */
    ObjectDecoder<T> decoder();

    long versionOf(T object);

    ClusterEvent listed(List<T> objects, long resourceVersion);

    ClusterEvent seen(T object);

    ClusterEvent removed(ObjectMeta object);

    final class Nodes implements Watched<Node> {

        @Override
        public String path() {
            return "api/v1/nodes";
        }

        @Override
        public ObjectDecoder<Node> decoder() {
            return new NodeDecoder();
        }

        @Override
        public long versionOf(Node node) {
            return node.resourceVersion();
        }

        @Override
        public ClusterEvent listed(List<Node> nodes, long resourceVersion) {
            return new NodeEvent.NodesListed(nodes, resourceVersion);
        }

        @Override
        public ClusterEvent seen(Node node) {
            return new NodeEvent.NodeSeen(node);
        }

        @Override
        public ClusterEvent removed(ObjectMeta node) {
            return new NodeEvent.NodeRemoved(node.name(), node.resourceVersion());
        }
    }
}
