package dev.sluice.kube.watch;

import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodEvent;
import dev.sluice.files.FileWatcher;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the nodes and pods of a snapshot file whenever the file changes. If the file is invalid or missing, its
 * last valid content stays in use. If the file cannot be read at the start, the start fails with a
 * {@link ClusterStateException}.
 */
public final class SnapshotVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotVerticle.class);

    /**
     * The time between two polls of the file. The new content is in use after at most three polls and the time to read
     * the file, which is less than the documented 2 s.
     */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    /**
     * The maximum number of objects in an event. It is the size of a page of the API server. The limit ensures that no
     * single event keeps the event loop of its receiver busy for long.
     */
    private static final int PAGE = 500;

    /**
     * The name of the file in the status. It does not contain the path, because every client that reaches the
     * management port may read the status.
     */
    private static final String NAME = "the snapshot file";

    private final Path file;
    private final InstantSource clock;
    private final Duration pollInterval;
    private final FileWatcher<SnapshotFile.SnapshotContents, ClusterStateException> watcher;
    private boolean stopped;

    public SnapshotVerticle(Path file, InstantSource clock) {
        this(file, clock, POLL_INTERVAL);
    }

    SnapshotVerticle(Path file, InstantSource clock, Duration pollInterval) {
        this.file = file;
        this.clock = clock;
        this.pollInterval = pollInterval;
        this.watcher = watcher(file);
    }

    static FileWatcher<SnapshotFile.SnapshotContents, ClusterStateException> watcher(Path file) {
        return new FileWatcher<>(
                () -> List.of(file), () -> SnapshotFile.read(file), FileWatcher.SettlingRule.BY_THE_THIRD_POLL);
    }

    @Override
    public Future<?> start() {
        StatusReporters reporters = new StatusReporters(
                reporter(WatchStatusMessage.ObjectKind.NODES), reporter(WatchStatusMessage.ObjectKind.PODS));
        Instant before = clock.instant();
        return vertx.executeBlocking(watcher::first).onSuccess(contents -> {
            publish(contents, before, reporters);
            schedulePoll(reporters);
        });
    }

    /**
     * The reporters for nodes and for pods. Both report the same status, because nodes and pods come from the same
     * file.
     */
    private record StatusReporters(WatchStatusReporter nodes, WatchStatusReporter pods) {

        void failed(String problem) {
            nodes.failed(problem);
            pods.failed(problem);
        }

        void read(SnapshotFile.SnapshotContents contents) {
            nodes.unreadable(contents.malformedNodes());
            nodes.listed(contents.nodes().size());
            pods.unreadable(contents.malformedPods());
            pods.listed(contents.pods().size());
        }
    }

    private WatchStatusReporter reporter(WatchStatusMessage.ObjectKind kind) {
        return new WatchStatusReporter(
                WatchStatusMessage.ofNew(kind, kind.word() + " of " + NAME),
                clock,
                status -> Topic.WATCH_STATUS.publish(vertx, status));
    }

    private void schedulePoll(StatusReporters reporters) {
        if (!stopped) {
            vertx.setTimer(pollInterval.toMillis(), _ -> poll(reporters));
        }
    }

    private void poll(StatusReporters reporters) {
        Instant before = clock.instant();
        vertx.executeBlocking(watcher::poll).onComplete(result -> {
            if (result.succeeded()) {
                polled(result.result(), before, reporters);
            } else {
                reporters.failed(String.valueOf(result.cause().getMessage()).replace(file.toString(), NAME));
            }
            schedulePoll(reporters);
        });
    }

    private void polled(
            FileWatcher.Poll<SnapshotFile.SnapshotContents> poll, Instant before, StatusReporters reporters) {
        switch (poll) {
            case FileWatcher.Poll.Changed<SnapshotFile.SnapshotContents>(var contents) ->
                publish(contents, before, reporters);
            case FileWatcher.Poll.Unchanged<SnapshotFile.SnapshotContents> _ -> publishSyncedUpTo(before);
            case FileWatcher.Poll.ContentsUnknown<SnapshotFile.SnapshotContents> _ -> {}
        }
    }

    private void publish(SnapshotFile.SnapshotContents contents, Instant before, StatusReporters reporters) {
        for (String warning : contents.warnings()) {
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("problem", warning)
                    .log("skipped malformed object in the snapshot file");
        }
        Topic.DRA.publish(vertx, contents.dra());
        Topic.LIMIT_RANGES.publish(vertx, contents.limitRanges());
        publish(new NodeEvent.NodeListBegun());
        inPages(contents.nodes(), NodeEvent.NodesPage::new);
        publish(new NodeEvent.NodeListEnded(0, before));
        publish(new PodEvent.ListBegun());
        inPages(contents.pods(), PodEvent.PodsPage::new);
        publish(new PodEvent.ListEnded(0, before));
        contents.ended().forEach(this::publish);
        publishSyncedUpTo(before);
        reporters.read(contents);
    }

    private void publish(ClusterEvent event) {
        Topic.CLUSTER_EVENTS.publish(vertx, event);
    }

    private <T> void inPages(List<T> objects, Function<List<T>, ClusterEvent> page) {
        for (int from = 0; from < objects.size(); from += PAGE) {
            publish(page.apply(objects.subList(from, Math.min(from + PAGE, objects.size()))));
        }
    }

    private void publishSyncedUpTo(Instant moment) {
        publish(new NodeEvent.NodesSyncedUpTo(moment));
        publish(new PodEvent.PodsSyncedUpTo(moment));
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        return Future.succeededFuture();
    }
}
