package dev.sluice.bus;

import dev.sluice.bus.Topic.RecordsWanted;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes gateways publish the decision records that they have collected. Gateways collect records to publish several at
 * once. A consumer that shows decisions sends this request first.
 *
 * @param gateways the deployments of the gateways that collect records
 */
public record RecordFlushRequest(List<String> gateways) {

    /**
     * The time limit for the gateways in milliseconds. No event loop may be blocked for longer than 50 ms, and people
     * wait for the result.
     */
    private static final long PATIENCE_MILLIS = 250;

    public RecordFlushRequest {
        gateways = List.copyOf(gateways);
    }

    /**
     * Makes the gateways publish on {@link Topic#DECISIONS} every record whose answer has been sent. The future then
     * succeeds on the context of the caller. It also succeeds when a gateway exceeds the time limit. The records of
     * that gateway are published later.
     */
    public Future<?> flush(Vertx vertx) {
        Context caller = vertx.getOrCreateContext();
        Promise<?> flushed = Promise.promise();
        flushAll(vertx)
                .timeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .onComplete(_ -> caller.runOnContext(_ -> flushed.complete()));
        return flushed.future();
    }

    /** Does the same as {@link #flush}, but the future fails if a gateway has not answered after a second. */
    public Future<?> flushAll(Vertx vertx) {
        Topic.RECORDS_WANTED.publish(vertx, new RecordsWanted());
        // When a gateway answers this message, it has handled all messages that were published before.
        return EventBusLiveness.ask(vertx, gateways);
    }
}
