package dev.sluice.observe;

import dev.sluice.bus.Topic;
import dev.sluice.record.RecordBatch;
import dev.sluice.record.ReviewRecord;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the records of one gateway and publishes together what the answers of one turn of its event loop are about,
 * because a message costs as much as some hundred records do. A client that has its answer and then asks for the
 * numbers finds it counted. The owner of this object is that event loop.
 */
public final class RecordBatcher {

    /** A batch ends here, so that a burst is held in small pieces. */
    private static final int MOST_RECORDS = 256;

    private List<ReviewRecord> waiting = new ArrayList<>();

    /** To be called when the answer has been written. */
    public void add(Vertx vertx, ReviewRecord record) {
        waiting.add(record);
        if (waiting.size() == 1) {
            vertx.runOnContext(_ -> publish(vertx));
        } else if (waiting.size() >= MOST_RECORDS) {
            publish(vertx);
        }
    }

    /** Publishes what there is. */
    public void publish(Vertx vertx) {
        if (!waiting.isEmpty()) {
            RecordBatch batch = new RecordBatch(waiting);
            waiting = new ArrayList<>();
            Topic.DECISIONS.publish(vertx, batch);
        }
    }
}
