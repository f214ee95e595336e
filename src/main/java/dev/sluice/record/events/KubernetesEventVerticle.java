package dev.sluice.record.events;

import dev.sluice.admission.verdict.Reason;
import dev.sluice.bus.TlsReloadMessage;
import dev.sluice.bus.TlsReloadMessage.ReloadResult;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.kube.client.ApiServerObjectAccess;
import dev.sluice.kube.client.OwnPodName;
import dev.sluice.log.TokenBucket;
import dev.sluice.metrics.parts.KubernetesEventMetrics;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecordBatch;
import dev.sluice.record.events.KubernetesEventWriter.Task;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Matches decisions with the pods that the watch reports. For each match, a {@link KubernetesEventWriter} writes the
 * Event in its own thread, so no other part of the gateway waits for the Event.
 */
public final class KubernetesEventVerticle extends VerticleBase {

    private static final long SWEEP_MILLIS = 10_000;

    /**
     * The average number of pods of one namespace that may get Events in a second. The limit prevents one namespace
     * from using up the memory and the rate limit that all namespaces share.
     */
    private static final double PODS_PER_SECOND_OF_NAMESPACE = 5;

    private static final double PODS_AT_ONCE_OF_NAMESPACE = 100;
    private static final int MOST_NAMESPACES = 1_024;

    private final InstantSource clock;
    private final KubernetesEventMetrics metrics;
    private final KubernetesEventWriter announcer;
    private final EventsAwaitingPods awaited;

    private final Map<String, TokenBucket> namespaces = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TokenBucket> eldest) {
            return size() > MOST_NAMESPACES;
        }
    };

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private ReloadResult newest = ReloadResult.SERVED;
    private @Nullable Thread thread;

    public KubernetesEventVerticle(
            ApiServerObjectAccess objects, InstantSource clock, OwnPodName self, KubernetesEventMetrics metrics) {
        this.clock = clock;
        this.metrics = metrics;
        this.awaited = new EventsAwaitingPods(metrics::dropRecord);
        this.announcer = new KubernetesEventWriter(objects, clock, self, metrics);
    }

    @Override
    public Future<?> start() {
        Topic.DECISIONS.subscribe(vertx, this::decided);
        Topic.CLUSTER_EVENTS.subscribe(vertx, this::changed);
        Topic.TLS_RELOADS.subscribe(vertx, this::reloaded);
        vertx.setPeriodic(SWEEP_MILLIS, _ -> awaited.sweep(clock.instant()));
        thread = Thread.ofPlatform().daemon().name("events").start(() -> {
            try {
                announcer.run();
            } finally {
                ended.complete(null);
            }
        });
        return Future.succeededFuture();
    }

    private void decided(ReviewRecordBatch batch) {
        for (ReviewRecord review : batch.records()) {
            // If the policy only observes, a decision has not done anything to the pod, so there is no Event.
            if (review instanceof DecisionRecord decision
                    && !decision.isObserved()
                    && !decision.pod().head().dryRun()) {
                decided(decision);
            }
        }
    }

    private void decided(DecisionRecord decision) {
        switch (decision.kind()) {
            case CHANGED, KEPT -> await(decision);
            case DENIED -> {
                if (isWithinRate(decision)) {
                    announcer.offer(new Task.PodDenied(decision));
                } else {
                    metrics.count(KubernetesEventMetrics.Result.DROPPED);
                }
            }
            case UNCHANGED -> {
                // Without a stamp, the decision could be matched with another pod of the same generateName. That pod
                // may have got the devices that it requests.
                if (decision.reason() == Reason.EXHAUSTED && !decision.stamp().isEmpty()) {
                    await(decision);
                }
            }
            case UNTOUCHED -> {}
        }
    }

    /**
     * Keeps the decision until the watch reports its pod. Ignores a decision without warnings, because it comes from a
     * repeated review of the pod.
     */
    private void await(DecisionRecord decision) {
        if (decision.messages().warnings().isEmpty()) {
            return;
        }
        if (!isWithinRate(decision) || !awaited.add(decision, clock.instant())) {
            metrics.count(KubernetesEventMetrics.Result.DROPPED);
        }
    }

    private boolean isWithinRate(DecisionRecord decision) {
        return namespaces
                .computeIfAbsent(
                        decision.pod().head().namespace(),
                        _ -> new TokenBucket(PODS_PER_SECOND_OF_NAMESPACE, PODS_AT_ONCE_OF_NAMESPACE, clock.instant()))
                .takeIfAny(clock.instant());
    }

    private void changed(ClusterEvent event) {
        switch (event) {
            case PodEvent.PodSeen(Pod pod) -> seen(pod);
            case PodEvent.PodsPage(var pods) -> pods.forEach(this::seen);
            default -> {}
        }
    }

    private void seen(Pod pod) {
        awaited.seen(pod).ifPresent(sighting -> announcer.offer(new Task.PodSighted(sighting)));
    }

    /**
     * Requests an Event about certificate files that were rejected. If several rejections follow each other, only the
     * first one gets an Event.
     */
    private void reloaded(TlsReloadMessage reload) {
        if (reload.result() == ReloadResult.REFUSED && newest != ReloadResult.REFUSED) {
            announcer.offer(new Task.CertificateRefused(reload));
        }
        newest = reload.result();
    }

    @Override
    public Future<?> stop() {
        if (thread != null) {
            thread.interrupt();
        }
        return Future.fromCompletionStage(ended, context);
    }
}
