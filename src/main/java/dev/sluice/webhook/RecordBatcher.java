package dev.sluice.webhook;

import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Topic;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecordBatch;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Collects the records of one gateway and publishes them in batches. A message on the bus costs as much as a few
 * hundred records, and it wakes every consumer. After a pause without records, the next record is published at once. A
 * consumer that is about to show decisions requests the collected records with {@link RecordFlushRequest}. Only the
 * event loop of the gateway uses this object.
 */
final class RecordBatcher {

    /** The maximum number of records in a batch. It limits the size of one message. */
    private static final int MOST_RECORDS = 256;

    /**
     * The pause, in nanoseconds, after which the next record is published at once. A gateway with pauses of this length
     * answers at most a few hundred reviews a second, so it needs no batches.
     */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /**
     * The longest time, in milliseconds, that a record waits. The limit is for consumers that do not request records,
     * such as the log.
     */
    private static final long LATEST_MILLIS = 20;

    private List<ReviewRecord> waiting = new ArrayList<>();
    private long lastPublished = System.nanoTime() - QUIET_NANOS;
    /** True if a timer is running that will publish the collected records. */
    private boolean timerRuns;

    /** Adds a record. It must be called after the answer has been written. */
    void add(Vertx vertx, ReviewRecord record) {
        waiting.add(record);
        if (waiting.size() >= MOST_RECORDS) {
            publish(vertx);
        } else if (waiting.size() == 1) {
            publishSoon(vertx);
        }
    }

    private void publishSoon(Vertx vertx) {
        if (System.nanoTime() - lastPublished >= QUIET_NANOS) {
            vertx.runOnContext(_ -> publish(vertx));
        } else if (!timerRuns) {
            timerRuns = true;
            vertx.setTimer(LATEST_MILLIS, _ -> {
                timerRuns = false;
                publish(vertx);
            });
        }
    }

    /** Publishes the collected records. */
    void publish(Vertx vertx) {
        if (!waiting.isEmpty()) {
            ReviewRecordBatch batch = new ReviewRecordBatch(waiting);
            waiting = new ArrayList<>();
            lastPublished = System.nanoTime();
            Topic.DECISIONS.publish(vertx, batch);
        }
    }
}
