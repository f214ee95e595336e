package dev.sluice;

import dev.sluice.bus.Topic;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.watch.SnapshotVerticle;
import dev.sluice.watch.WatcherVerticle;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** Where the cluster's state comes from. */
sealed interface ClusterSource {

    Deployable verticle();

    /** Lets go of what the verticle used, once it is gone. */
    default void release() {}

    /** A real cluster. */
    record Live(KubernetesClient client) implements ClusterSource {
        @Override
        public Deployable verticle() {
            return new WatcherVerticle(client, InstantSource.system());
        }

        @Override
        public void release() {
            client.close();
        }
    }

    /** A file that kubectl wrote. */
    record File(Path path) implements ClusterSource {
        @Override
        public Deployable verticle() {
            return new SnapshotVerticle(path, InstantSource.system());
        }
    }

    /** No cluster at first: whoever embeds the gateway publishes one. */
    record Embedded() implements ClusterSource {
        @Override
        public Deployable verticle() {
            return new VerticleBase() {
                @Override
                public Future<?> start() {
                    Topic.CLUSTER_EVENTS.publish(vertx, new NodeEvent.NodesListed(List.of(), 0));
                    return Future.succeededFuture();
                }
            };
        }
    }
}
