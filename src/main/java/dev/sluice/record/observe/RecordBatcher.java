package dev.sluice.record.observe;

import dev.sluice.bus.RecordFlusher;
import dev.sluice.bus.Topic;
import dev.sluice.record.RecordBatch;
import dev.sluice.record.ReviewRecord;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Collects the records of one gateway, and publishes several together if they come fast. A message on the bus costs as
 * much as some hundred records, and wakes every consumer. A record that comes alone is published in the same turn of
 * the event loop. Before a consumer shows decisions, {@link RecordFlusher} has the waiting records published. The event
 * loop of the gateway owns this object.
 */
public final class RecordBatcher {

    /** The maximum number of records of a batch, so that a burst is held in small pieces. */
    private static final int MOST_RECORDS = 256;

    /**
     * The time in nanoseconds without a batch after which a record is published at once. A gateway with such a pause
     * has fewer than some hundred reviews in a second.
     */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /**
     * The longest time in milliseconds that a record waits, for consumers that do not ask for records, such as the log.
     */
    private static final long LATEST_MILLIS = 20;

    private List<ReviewRecord> waiting = new ArrayList<>();
    private long lastPublished = System.nanoTime() - QUIET_NANOS;
    /** True if a timer is running that will publish the batch. */
    private boolean timerRuns;

    /** Adds a record. It must be called when the answer has been written. */
    public void add(Vertx vertx, ReviewRecord record) {
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

    /** Publishes the records that wait. */
    public void publish(Vertx vertx) {
        if (!waiting.isEmpty()) {
            RecordBatch batch = new RecordBatch(waiting);
            waiting = new ArrayList<>();
            lastPublished = System.nanoTime();
            Topic.DECISIONS.publish(vertx, batch);
        }
    }
}
