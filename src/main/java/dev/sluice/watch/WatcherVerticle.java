package dev.sluice.watch;

import dev.sluice.bus.Topic;
import dev.sluice.bus.message.WatchStatus;
import dev.sluice.event.ClusterEvent;
import dev.sluice.kube.transport.ApiServer;
import dev.sluice.source.Progress;
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

/**
 * Publishes what the API server tells of nodes and of pods. It owns nothing but the threads that read; their only way
 * out is onto this verticle's context, so the bus sees the events of each in their order.
 */
public final class WatcherVerticle extends VerticleBase {

    /** A list of everything takes seconds, and what one does not mend the next hardly will. */
    private static final Duration BETWEEN_DOUBTS = Duration.ofMinutes(5);

    private final KubernetesClient client;
    private final InstantSource clock;
    private final PodsUse podsUse;
    private final Pace pace;
    private final List<Reader> readers = new ArrayList<>();
    private final List<Reflector<?>> reflectors = new ArrayList<>();
    private Instant listsAgainFrom = Instant.EPOCH;
    private boolean listsAgain;

    private record Reader(Thread thread, CompletableFuture<Void> ended) {}

    /** What is known is too old to decide by when it has not been proved for so long that it is current. */
    public static final Duration LIMIT = Pace.LIMIT;

    /** The client stays the caller's to close, after this verticle. */
    public WatcherVerticle(KubernetesClient client, InstantSource clock, PodsUse podsUse) {
        this(client, clock, podsUse, Pace.USUAL);
    }

    WatcherVerticle(KubernetesClient client, InstantSource clock, PodsUse podsUse, Pace pace) {
        this.client = client;
        this.clock = clock;
        this.podsUse = podsUse;
        this.pace = pace;
    }

    /** Started is not synced: that {@link Topic#WATCH_STATUS} tells. */
    @Override
    public Future<?> start() {
        Topic.RELIST_REQUESTS.subscribe(vertx, _ -> doubted());
        follow(new Watched.WatchedNodes(clock, this::publish), WatchStatus.ObjectKind.NODES);
        follow(new Watched.WatchedPods(clock, podsUse, this::publish), WatchStatus.ObjectKind.PODS);
        return Future.succeededFuture();
    }

    private void follow(Watched<?> kind, WatchStatus.ObjectKind name) {
        Reflector<?> reflector = reflector(kind, name);
        reflectors.add(reflector);
        read(name.word(), reflector);
        FreshnessReads.Clocked clocked = new FreshnessReads.Clocked(clock, pace);
        read("horizon-of-" + name.word(), new FreshnessReads(server(), kind, reflector::doubt, clocked));
    }

    private Reflector<?> reflector(Watched<?> kind, WatchStatus.ObjectKind name) {
        String source = name.word() + " of " + client.getMasterUrl();
        Progress progress = new Progress(WatchStatus.ofNew(name, source), clock, this::publishStatus);
        Relisting relisting = new Relisting(kind.horizon(), clock, pace.proof().listAfter());
        ListWatch<?> listWatch = new ListWatch<>(kind, server(), pace, new Unread(clock));
        return new Reflector<>(listWatch, relisting, this::publish, progress);
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
        return new ApiServer(client);
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
