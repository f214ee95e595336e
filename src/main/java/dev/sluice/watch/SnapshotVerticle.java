package dev.sluice.watch;

import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatus;
import dev.sluice.cluster.NodeEvent;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the nodes of a snapshot file, again each time it changes. While the file is broken or gone, the last good
 * one stays in use. Its start fails with a {@link SourceProblem} where not even the first reading succeeds.
 */
public final class SnapshotVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotVerticle.class);

    /** Three looks, the most a change waits for, and the reading fit the promised 2 s. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    private final Path file;
    private final InstantSource clock;
    private final Duration betweenLooks;
    private final SnapshotPoll poll;
    private boolean stopped;

    public SnapshotVerticle(Path file, InstantSource clock) {
        this(file, clock, BETWEEN_LOOKS);
    }

    SnapshotVerticle(Path file, InstantSource clock, Duration betweenLooks) {
        this.file = file;
        this.clock = clock;
        this.betweenLooks = betweenLooks;
        this.poll = new SnapshotPoll(file);
    }

    @Override
    public Future<?> start() {
        Progress told = new Progress(WatchStatus.ofNew(WatchStatus.Kind.NODES, "file " + file), clock, this::publish);
        return vertx.executeBlocking(poll::first).onSuccess(contents -> {
            publish(contents, told);
            lookLater(told);
        });
    }

    private void lookLater(Progress told) {
        if (!stopped) {
            vertx.setTimer(
                    betweenLooks.toMillis(),
                    _ -> vertx.executeBlocking(poll::look).onComplete(result -> looked(result, told)));
        }
    }

    private void looked(AsyncResult<Optional<SnapshotFile.Contents>> result, Progress told) {
        if (result.succeeded()) {
            result.result().ifPresent(contents -> publish(contents, told));
        } else {
            told.failed(String.valueOf(result.cause().getMessage()));
        }
        lookLater(told);
    }

    private void publish(SnapshotFile.Contents contents, Progress told) {
        for (String warning : contents.warnings()) {
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("problem", warning)
                    .log("A node of the snapshot file is passed over");
        }
        Topic.CLUSTER_EVENTS.publish(vertx, new NodeEvent.NodesListed(contents.nodes(), 0));
        told.listed(contents.nodes().size());
    }

    /** What is true of the nodes in a file is true of the pods in it. */
    private void publish(WatchStatus status) {
        Topic.WATCH_STATUS.publish(vertx, status);
        Topic.WATCH_STATUS.publish(vertx, status.of(WatchStatus.Kind.PODS));
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        return Future.succeededFuture();
    }
}
