package dev.sluice.watch;

import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatus;
import dev.sluice.cluster.ClusterEvent;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what the API server tells of nodes. It owns nothing but the thread that reads; that thread's only way out
 * is onto this verticle's context, so the bus sees the events in their order.
 */
public final class WatcherVerticle extends VerticleBase {

    private final KubernetesClient client;
    private final InstantSource clock;
    private final Pace pace;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private @Nullable Thread reader;

    /** The client stays the caller's to close, after this verticle. */
    public WatcherVerticle(KubernetesClient client, InstantSource clock) {
        this(client, clock, Pace.USUAL);
    }

    WatcherVerticle(KubernetesClient client, InstantSource clock, Pace pace) {
        this.client = client;
        this.clock = clock;
        this.pace = pace;
    }

    /** Started is not synced: that {@link Topic#WATCH_STATUS} tells. */
    @Override
    public Future<?> start() {
        Progress progress = new Progress("nodes of " + client.getMasterUrl(), clock, this::publishStatus);
        reader = Thread.ofVirtual().name("reflector-nodes").start(() -> {
            try {
                reflector(progress).run();
            } finally {
                ended.complete(null);
            }
        });
        return Future.succeededFuture();
    }

    private Reflector<?> reflector(Progress progress) {
        Backoff backoff = new Backoff(pace.shortestPause(), pace.longestPause(), ThreadLocalRandom.current());
        ApiServer server = new ApiServer(client, pace.answer());
        return new Reflector<>(new ListWatch<>(new Watched.Nodes(), server, pace), backoff, this::publish, progress);
    }

    private void publish(ClusterEvent event) {
        context.runOnContext(_ -> Topic.CLUSTER_EVENTS.publish(vertx, event));
    }

    private void publishStatus(WatchStatus status) {
        context.runOnContext(_ -> Topic.WATCH_STATUS.publish(vertx, status));
    }

    @Override
    public Future<?> stop() {
        if (reader == null) {
            return Future.succeededFuture();
        }
        reader.interrupt();
        return Future.fromCompletionStage(ended, context);
    }
}
