package dev.sluice.watch;

import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatus;
import dev.sluice.cluster.ClusterEvent;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Publishes what the API server tells of nodes and of pods. It owns nothing but the threads that read; their only way
 * out is onto this verticle's context, so the bus sees the events of each in their order.
 */
public final class WatcherVerticle extends VerticleBase {

    /** A list of everything takes seconds, and what one does not mend the next hardly will. */
    private static final Duration BETWEEN_DOUBTS = Duration.ofMinutes(5);

    private final KubernetesClient client;
    private final InstantSource clock;
    private final Pace pace;
    private final List<Reader> readers = new ArrayList<>();
    private final List<Reflector<?>> reflectors = new ArrayList<>();
    private Instant listsAgainFrom = Instant.EPOCH;
    private boolean listsAgain;

    private record Reader(Thread thread, CompletableFuture<Void> ended) {}

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
        Horizon horizon = new Horizon(this::publish);
        read("nodes", reflector(new Watched.Nodes(), WatchStatus.Kind.NODES));
        read("pods", reflector(new Watched.Pods(clock, horizon), WatchStatus.Kind.PODS));
        Topic.DOUBTS.subscribe(vertx, _ -> doubted());
        read("horizon", new HorizonReads(server(), horizon, clock, pace));
        return Future.succeededFuture();
    }

    private Runnable reflector(Watched<?> kind, WatchStatus.Kind name) {
        String source = name.word() + " of " + client.getMasterUrl();
        Progress progress = new Progress(WatchStatus.ofNew(name, source), clock, this::publishStatus);
        Backoff backoff = new Backoff(pace.shortestPause(), pace.longestPause(), ThreadLocalRandom.current());
        Reflector<?> reflector =
                new Reflector<>(new ListWatch<>(kind, server(), pace), backoff, this::publish, progress);
        reflectors.add(reflector);
        return reflector;
    }

    /** Everything is listed again: at once, or when it has not been for a while. */
    private void doubted() {
        if (!listsAgain) {
            listsAgain = true;
            long wait = Math.max(1, clock.instant().until(listsAgainFrom, ChronoUnit.MILLIS));
            vertx.setTimer(wait, _ -> {
                listsAgain = false;
                listsAgainFrom = clock.instant().plus(BETWEEN_DOUBTS);
                reflectors.forEach(Reflector::doubt);
            });
        }
    }

    private ApiServer server() {
        return new ApiServer(client, pace.answer());
    }

    private void read(String what, Runnable reading) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().name("reader-" + what).start(() -> {
            try {
                reading.run();
            } finally {
                ended.complete(null);
            }
        });
        readers.add(new Reader(thread, ended));
    }

    private void publish(ClusterEvent event) {
        context.runOnContext(_ -> Topic.CLUSTER_EVENTS.publish(vertx, event));
    }

    private void publishStatus(WatchStatus status) {
        context.runOnContext(_ -> Topic.WATCH_STATUS.publish(vertx, status));
    }

    @Override
    public Future<?> stop() {
        readers.forEach(reader -> reader.thread().interrupt());
        return Future.all(readers.stream()
                .map(reader -> Future.fromCompletionStage(reader.ended(), context))
                .toList());
    }
}
