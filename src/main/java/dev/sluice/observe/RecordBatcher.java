package dev.sluice.observe;

import dev.sluice.bus.Topic;
import dev.sluice.record.RecordBatch;
import dev.sluice.record.ReviewRecord;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the records of one gateway and publishes them together, because a message costs as much as some hundred
 * records do. Its owner is the event loop of the gateway.
 */
public final class RecordBatcher {

    /** Nobody sees that a line of the log, or a number, is so much older; a busy gateway decides some hundred pods. */
    private static final long DELAY_MILLIS = 20;

    /** A batch ends here, so that a burst is held in small pieces. */
    private static final int MOST_RECORDS = 256;

    private List<ReviewRecord> waiting = new ArrayList<>();

    /** To be called when the answer has been written. */
    public void add(Vertx vertx, ReviewRecord record) {
        waiting.add(record);
        if (waiting.size() == 1) {
            vertx.setTimer(DELAY_MILLIS, _ -> publish(vertx));
        } else if (waiting.size() >= MOST_RECORDS) {
            publish(vertx);
        }
    }

    /** Publishes what there is. The timer of a batch that was full may publish the next one early. */
    public void publish(Vertx vertx) {
        if (!waiting.isEmpty()) {
            RecordBatch batch = new RecordBatch(waiting);
            waiting = new ArrayList<>();
            Topic.DECISIONS.publish(vertx, batch);
        }
    }
}
