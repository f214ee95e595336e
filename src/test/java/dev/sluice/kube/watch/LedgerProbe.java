package dev.sluice.kube.watch;

import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementNodes;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** The real ledger behind the real bus, and a way to wait until it knows something. */
public final class LedgerProbe {

    private final PlacementNodes ledger = new PlacementNodes();
    private final List<ClusterEvent> events = new ArrayList<>();
    private WatchStatusMessage podStatus = WatchStatusMessage.ofNew(WatchStatusMessage.ObjectKind.PODS, "nothing yet");
    private WatchStatusMessage status = WatchStatusMessage.ofNew(WatchStatusMessage.ObjectKind.NODES, "nothing yet");

    public LedgerProbe(Vertx vertx) throws Exception {
        CompletableFuture<Void> subscribed = new CompletableFuture<>();
        vertx.getOrCreateContext().runOnContext(_ -> {
            var _ = Topic.CLUSTER_EVENTS.subscribe(vertx, this::event);
            var _ = Topic.WATCH_STATUS.subscribe(vertx, this::told);
            subscribed.complete(null);
        });
        subscribed.get(10, TimeUnit.SECONDS);
    }

    private synchronized void event(ClusterEvent event) {
        events.add(event);
        if (event instanceof NodeEvent node) {
            var _ = ledger.apply(node);
        }
        notifyAll();
    }

    private synchronized void told(WatchStatusMessage latest) {
        if (latest.kind() == WatchStatusMessage.ObjectKind.NODES) {
            status = latest;
        } else {
            podStatus = latest;
        }
        notifyAll();
    }

    public synchronized WatchStatusMessage podStatus() {
        return podStatus;
    }

    /** The GPUs of each node. */
    public synchronized Map<String, Long> gpus() {
        Map<String, Long> gpus = new TreeMap<>();
        for (Node node : ledger.snapshot().nodesByName()) {
            gpus.put(node.name(), node.allocatable().get(ResourceName.NVIDIA_GPU));
        }
        return gpus;
    }

    /** What was told of nodes, but for the proofs that all was told. */
    synchronized List<NodeEvent> events() {
        return only(NodeEvent.class).stream()
                .filter(event -> !(event instanceof NodeEvent.NodesSyncedUpTo))
                .toList();
    }

    /** The moment up to which all nodes are known. */
    synchronized Instant nodesSyncedUpTo() {
        Instant newest = Instant.MIN;
        for (NodeEvent event : only(NodeEvent.class)) {
            newest = switch (event) {
                case NodeEvent.NodesSyncedUpTo(Instant moment) -> moment;
                case NodeEvent.NodeListEnded ended -> ended.asOf();
                case NodeEvent _ -> newest;
            };
        }
        return newest;
    }

    public synchronized List<PodEvent> podEvents() {
        return only(PodEvent.class);
    }

    private <E extends ClusterEvent> List<E> only(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    synchronized long lists() {
        return events.stream().filter(NodeEvent.NodeListEnded.class::isInstance).count();
    }

    public synchronized boolean isSynced() {
        return ledger.isSynced();
    }

    public synchronized WatchStatusMessage status() {
        return status;
    }

    /** Waits until it holds; what is known then is part of the failure. */
    public synchronized void awaitThat(Predicate<LedgerProbe> condition) throws Exception {
        awaitThat(condition, Duration.ofSeconds(10));
    }

    synchronized void awaitThat(Predicate<LedgerProbe> condition, Duration patience) throws Exception {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.test(this)) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new TimeoutException("the ledger has " + gpus() + " and is complete up to " + nodesSyncedUpTo()
                        + ", the status is " + status);
            }
            wait(left);
        }
    }
}
