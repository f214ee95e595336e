package dev.sluice.bus;

import dev.sluice.bus.Topic.RecordsWanted;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes gateways publish their decision records now. A gateway usually collects records and publishes several at once.
 * Whoever shows decisions to people sends this request first, so that no record is missing.
 *
 * @param gateways the deployment ids of the gateways
 */
public record RecordFlushRequest(List<String> gateways) {

    /**
     * The time limit for the gateways in milliseconds. It is short, because people wait for the result. It is long
     * enough, because no event loop may be blocked for longer than 50 ms.
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
        // A gateway handles messages in their order. When it answers the liveness message, it has already published its
        // records.
        return EventBusLiveness.ask(vertx, gateways);
    }
}
