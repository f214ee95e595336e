package dev.sluice.kube.watch;

import dev.sluice.admission.request.LimitRanges;
import dev.sluice.admission.request.NamespaceLimitRangeRule;
import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.dra.DeviceClaims;
import dev.sluice.cluster.dra.DeviceSupply;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.kube.client.ApiResource;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.decode.DecodedObject;
import dev.sluice.kube.decode.DraDecoders;
import dev.sluice.kube.decode.LimitRangeDecoder;
import dev.sluice.kube.decode.ObjectDecoder;
import dev.sluice.record.ReviewRecordBatch;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Publishes the nodes and pods of the API server. It starts and stops the threads that read from the API server. These
 * threads publish only on the context of this verticle, so the events of each reflector keep their order on the event
 * bus.
 */
public final class WatcherVerticle extends VerticleBase {

    /**
     * The minimum time between two requested relists. A relist takes seconds, and if it does not repair an error, the
     * next one is unlikely to repair it either.
     */
    private static final Duration RELIST_INTERVAL = Duration.ofMinutes(5);

    /**
     * The maximum number of LimitRanges with rules for extended resources. LimitRanges above this limit are ignored.
     */
    private static final int MAX_LIMIT_RANGES = 10_000;

    /**
     * The interval after which optional objects are listed again. It is practically infinite, because the watch of
     * these objects is enough.
     */
    private static final Duration NEVER = Duration.ofDays(100 * 365);

    /** The maximum time for which the list of nodes waits for the first answers about DRA. */
    private static final long MOST_MILLIS_BEFORE_NODES = 1_000;

    /**
     * Changes of DRA within this time are published together, because each publication requires a new snapshot of the
     * cluster.
     */
    private static final long DRA_MILLIS = 50;

    private final KubernetesClient client;
    private final InstantSource clock;
    private final PodReflectorAccess podAccess;
    private final ReflectorTimings timings;
    private final List<ReaderThread> readers = new ArrayList<>();
    private final List<Reflector<?>> reflectors = new ArrayList<>();
    private final DraWatch dra = new DraWatch(this::draChanged);
    private final ReflectedObjects<List<NamespaceLimitRangeRule>> limitRanges = new ReflectedObjects<>(
            "LimitRange",
            "pods are decided as if there were none",
            rules -> !rules.isEmpty(),
            MAX_LIMIT_RANGES,
            this::limitRangesChanged);
    private boolean nodesStarted;
    private boolean draScheduled;
    private boolean claimsStarted;
    private Instant earliestRelist = Instant.EPOCH;
    private boolean relistScheduled;
    private boolean podsWait;
    private boolean stopped;

    private record ReaderThread(Thread thread, CompletableFuture<Void> ended) {}

    /**
     * The maximum age of the last proof that the state is current. Without a newer proof the gateway makes no
     * decisions.
     */
    public static final Duration FRESHNESS_LIMIT = ReflectorTimings.FRESHNESS_LIMIT;

    /**
     * Creates a verticle.
     *
     * @param client must be closed by the caller after this verticle has stopped
     */
    public WatcherVerticle(KubernetesClient client, InstantSource clock, PodReflectorAccess podAccess) {
        this(client, clock, podAccess, ReflectorTimings.DEFAULT);
    }

    WatcherVerticle(
            KubernetesClient client, InstantSource clock, PodReflectorAccess podAccess, ReflectorTimings timings) {
        this.client = client;
        this.clock = clock;
        this.podAccess = podAccess;
        this.timings = timings;
    }

    /**
     * Starts the readers. The future completes before any object is listed; {@link Topic#WATCH_STATUS} reports when the
     * lists are complete.
     */
    @Override
    public Future<?> start() {
        Topic.RELIST_REQUESTS.subscribe(vertx, _ -> scheduleRelist());
        Topic.DRA.publish(vertx, new DraState(DeviceSupply.UNKNOWN, DeviceClaims.UNKNOWN));
        ReflectorTimings longer = timings.withLongWatches();
        startSet(ApiResource.DEVICE_CLASSES, DraDecoders::classes, dra.classes(), longer);
        startSet(ApiResource.RESOURCE_SLICES, DraDecoders::slices, dra.slices(), longer);
        startSet(ApiResource.LIMIT_RANGES, LimitRangeDecoder::new, limitRanges, longer);
        // Nodes are listed after the first answers about DRA, so that no review is decided without the state of DRA.
        vertx.setTimer(MOST_MILLIS_BEFORE_NODES, _ -> startNodes());
        podsWait = podAccess == PodReflectorAccess.OPTIONAL;
        if (!podsWait) {
            startPods();
        }
        return Future.succeededFuture();
    }

    private void startNodes() {
        if (!nodesStarted && !stopped) {
            nodesStarted = true;
            startReflector(WatchedResource.nodes(clock, this::publish), WatchStatusMessage.ObjectKind.NODES);
        }
    }

    /** Starts to read the objects of an optional kind. */
    private <T> void startSet(
            ApiResource resource,
            Supplier<ObjectDecoder<DecodedObject<T>>> decoders,
            ReflectedObjects<T> objects,
            ReflectorTimings watchTimings) {
        WatchedResource<DecodedObject<T>> kind = WatchedResource.optional(resource, clock, decoders, objects);
        ListWatch<DecodedObject<T>> listWatch =
                new ListWatch<>(kind, server(), watchTimings, new UnreadableObjectTracker(clock));
        ReflectorRelistPolicy relistPolicy = new ReflectorRelistPolicy(kind.freshness(), clock, NEVER);
        startReader(resource.path(), new Reflector<>(listWatch, relistPolicy, objects));
    }

    private void draChanged() {
        context.runOnContext(_ -> {
            if (!nodesStarted && dra.isAnswered()) {
                publishDra();
                startNodes();
            } else if (!draScheduled) {
                draScheduled = true;
                vertx.setTimer(DRA_MILLIS, _ -> {
                    draScheduled = false;
                    publishDra();
                });
            }
        });
    }

    /**
     * Publishes the state of DRA. Once there is a DeviceClass for GPUs, starts to read ResourceClaims. They are not
     * read before, because most clusters have no such DeviceClass.
     */
    private void publishDra() {
        DraState state = dra.state();
        Topic.DRA.publish(vertx, state);
        boolean counts = podAccess == PodReflectorAccess.REQUIRED
                && !state.supply().gpus().isEmpty();
        if (counts && !claimsStarted && !stopped) {
            claimsStarted = true;
            startSet(ApiResource.RESOURCE_CLAIMS, DraDecoders::claims, dra.claims(), timings);
        }
    }

    private void limitRangesChanged() {
        LimitRanges ranges = LimitRanges.of(limitRanges.byName());
        context.runOnContext(_ -> Topic.LIMIT_RANGES.publish(vertx, ranges));
    }

    private void startPods() {
        startReflector(WatchedResource.pods(clock, podAccess, this::publish), WatchStatusMessage.ObjectKind.PODS);
    }

    /**
     * Lists the pods in an interval with few reviews. The first reviews after a start need the processor, and no
     * decision needs the pods.
     */
    private void startPodsWhenIdle() {
        WatchIdleDetector moment = new WatchIdleDetector(timings.optionalPods().mostIntervals());
        MessageConsumer<ReviewRecordBatch> decisions = Topic.DECISIONS.subscribe(
                vertx, batch -> moment.answered(batch.records().size()));
        vertx.setPeriodic(timings.optionalPods().interval().toMillis(), timer -> {
            if (moment.hasCome()) {
                vertx.cancelTimer(timer);
                var _ = decisions.unregister();
                startPods();
            }
        });
    }

    private void startReflector(WatchedResource<?> kind, WatchStatusMessage.ObjectKind name) {
        if (stopped) { // The timer may fire after the verticle has begun to stop.
            return;
        }
        Reflector<?> reflector = reflector(kind, name);
        reflectors.add(reflector);
        startReader(name.word(), reflector);
        startReader(
                "freshness-of-" + name.word(),
                new WatchFreshnessReads(server(), kind, reflector::requestRelist, clock, timings));
    }

    private Reflector<?> reflector(WatchedResource<?> kind, WatchStatusMessage.ObjectKind name) {
        String source = name.word() + " of " + client.getMasterUrl();
        WatchStatusReporter status =
                new WatchStatusReporter(WatchStatusMessage.ofNew(name, source), clock, this::publishStatus);
        ReflectorRelistPolicy relistPolicy = new ReflectorRelistPolicy(
                kind.freshness(), clock, timings.freshness().relistAfter());
        ListWatch<?> listWatch = new ListWatch<>(kind, server(), timings, new UnreadableObjectTracker(clock));
        return new Reflector<>(listWatch, relistPolicy, status);
    }

    /** Lists all objects again, but not before the minimum interval since the last relist is over. */
    private void scheduleRelist() {
        if (!relistScheduled) {
            relistScheduled = true;
            long wait = Math.max(1, clock.instant().until(earliestRelist, ChronoUnit.MILLIS));
            vertx.setTimer(wait, _ -> {
                relistScheduled = false;
                earliestRelist = clock.instant().plus(RELIST_INTERVAL);
                reflectors.forEach(Reflector::requestRelist);
            });
        }
    }

    private ApiServer server() {
        return new ApiServer(client);
    }

    private void startReader(String what, Runnable reading) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().daemon().name("reader-" + what).start(() -> {
            try {
                reading.run();
            } finally {
                ended.complete(null);
            }
        });
        readers.add(new ReaderThread(thread, ended));
    }

    private void publish(ClusterEvent event) {
        context.runOnContext(_ -> {
            Topic.CLUSTER_EVENTS.publish(vertx, event);
            if (podsWait && event instanceof NodeEvent.NodeListEnded) {
                podsWait = false;
                startPodsWhenIdle();
            }
        });
    }

    private void publishStatus(WatchStatusMessage status) {
        context.runOnContext(_ -> Topic.WATCH_STATUS.publish(vertx, status));
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        readers.forEach(reader -> reader.thread().interrupt());
        return Future.all(readers.stream()
                .map(reader -> Future.fromCompletionStage(reader.ended(), context))
                .toList());
    }
}
