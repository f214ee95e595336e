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
 * Collects the records of one gateway and publishes several together where they come fast, because a message costs as
 * much as some hundred records do, and wakes every consumer. A record that comes alone is told in the turn of its
 * answer; and a consumer that is about to show decisions has the others published first ({@link RecordFlusher}). The
 * owner of this object is the event loop of the gateway.
 */
public final class RecordBatcher {

    /** A batch ends here, so that a burst is held in small pieces. */
    private static final int MOST_RECORDS = 256;

    /** A gateway that has told nothing for so long has less than some hundred reviews in a second. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Those who look on without asking, such as the log, are not later than this. */
    private static final long LATEST_MILLIS = 20;

    private List<ReviewRecord> waiting = new ArrayList<>();
    private long told = System.nanoTime() - QUIET_NANOS;
    /** A timer runs that will publish. */
    private boolean due;

    /** To be called when the answer has been written. */
    public void add(Vertx vertx, ReviewRecord record) {
        waiting.add(record);
        if (waiting.size() >= MOST_RECORDS) {
            publish(vertx);
        } else if (waiting.size() == 1) {
            publishSoon(vertx);
        }
    }

    private void publishSoon(Vertx vertx) {
        if (System.nanoTime() - told >= QUIET_NANOS) {
            vertx.runOnContext(_ -> publish(vertx));
        } else if (!due) {
            due = true;
            vertx.setTimer(LATEST_MILLIS, _ -> {
                due = false;
                publish(vertx);
            });
        }
    }

    /** Publishes what there is. */
    public void publish(Vertx vertx) {
        if (!waiting.isEmpty()) {
            RecordBatch batch = new RecordBatch(waiting);
            waiting = new ArrayList<>();
            told = System.nanoTime();
            Topic.DECISIONS.publish(vertx, batch);
        }
    }
}
