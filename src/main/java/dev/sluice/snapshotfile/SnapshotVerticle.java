package dev.sluice.snapshotfile;

import dev.sluice.bus.Topic;
import dev.sluice.bus.message.WatchStatus;
import dev.sluice.event.ClusterEvent;
import dev.sluice.event.NodeEvent;
import dev.sluice.event.PodEvent;
import dev.sluice.reload.FileWatcher;
import dev.sluice.source.SourceProblem;
import dev.sluice.source.StatusReporter;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the nodes and pods of a snapshot file, again each time it changes. While the file is broken or gone, the
 * last good one stays in use. Its start fails with a {@link SourceProblem} where not even the first reading succeeds.
 */
public final class SnapshotVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotVerticle.class);

    /** Three looks, the most a change waits for, and the reading fit the promised 2 s. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private final Path file;
    private final InstantSource clock;
    private final Duration pollInterval;
    private final FileWatcher<SnapshotFile.SnapshotContents, SourceProblem> watcher;
    private boolean stopped;

    public SnapshotVerticle(Path file, InstantSource clock) {
        this(file, clock, POLL_INTERVAL);
    }

    SnapshotVerticle(Path file, InstantSource clock, Duration betweenLooks) {
        this.file = file;
        this.clock = clock;
        this.pollInterval = betweenLooks;
        this.watcher = watcher(file);
    }

    static FileWatcher<SnapshotFile.SnapshotContents, SourceProblem> watcher(Path file) {
        return new FileWatcher<>(
                () -> List.of(file), () -> SnapshotFile.read(file), FileWatcher.Settling.BY_THE_THIRD_POLL);
    }

    @Override
    public Future<?> start() {
        StatusReporters told =
                new StatusReporters(progress(WatchStatus.ObjectKind.NODES), progress(WatchStatus.ObjectKind.PODS));
        Instant before = clock.instant();
        return vertx.executeBlocking(watcher::first).onSuccess(contents -> {
            publish(contents, before, told);
            schedulePoll(told);
        });
    }

    /** What is true of the nodes in a file is true of the pods in it. */
    private record StatusReporters(StatusReporter nodes, StatusReporter pods) {

        void failed(String problem) {
            nodes.failed(problem);
            pods.failed(problem);
        }

        void read(SnapshotFile.SnapshotContents contents) {
            nodes.unreadable(contents.nodesPassedOver());
            nodes.listed(contents.nodes().size());
            pods.unreadable(contents.podsPassedOver());
            pods.listed(contents.pods().size());
        }
    }

    private StatusReporter progress(WatchStatus.ObjectKind kind) {
        return new StatusReporter(
                WatchStatus.ofNew(kind, "file " + file), clock, status -> Topic.WATCH_STATUS.publish(vertx, status));
    }

    private void schedulePoll(StatusReporters told) {
        if (!stopped) {
            vertx.setTimer(pollInterval.toMillis(), _ -> poll(told));
        }
    }

    private void poll(StatusReporters told) {
        Instant before = clock.instant();
        vertx.executeBlocking(watcher::poll).onComplete(result -> {
            if (result.succeeded()) {
                polled(result.result(), before, told);
            } else {
                told.failed(String.valueOf(result.cause().getMessage()));
            }
            schedulePoll(told);
        });
    }

    private void polled(FileWatcher.Poll<SnapshotFile.SnapshotContents> poll, Instant before, StatusReporters told) {
        switch (poll) {
            case FileWatcher.Poll.Changed<SnapshotFile.SnapshotContents>(var contents) ->
                publish(contents, before, told);
            case FileWatcher.Poll.Unchanged<SnapshotFile.SnapshotContents> _ -> publishSyncedUpTo(before);
            case FileWatcher.Poll.ContentsUnknown<SnapshotFile.SnapshotContents> _ -> {}
        }
    }

    private void publish(SnapshotFile.SnapshotContents contents, Instant before, StatusReporters told) {
        for (String warning : contents.warnings()) {
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("problem", warning)
                    .log("An object of the snapshot file is passed over");
        }
        publish(new NodeEvent.NodesListed(contents.nodes(), 0));
        publish(new PodEvent.ListBegun());
        publish(new PodEvent.PodsPage(contents.pods()));
        publish(new PodEvent.ListEnded(0, before));
        contents.ended().forEach(this::publish);
        publishSyncedUpTo(before);
        told.read(contents);
    }

    private void publish(ClusterEvent event) {
        Topic.CLUSTER_EVENTS.publish(vertx, event);
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
