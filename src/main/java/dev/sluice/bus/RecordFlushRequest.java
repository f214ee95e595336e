package dev.sluice.bus;

import dev.sluice.bus.Topic.RecordsWanted;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes the gateway verticles of this process publish their decision records now. A gateway verticle usually collects
 * records and publishes several at once. Code that shows decisions to people sends this request first, so that no
 * record is missing.
 *
 * @param gateways the deployment ids of the gateway verticles
 */
public record RecordFlushRequest(List<String> gateways) {

    /**
     * The time limit for the gateway verticles, in milliseconds. It is short, because people wait for the result. It is
     * long enough for a busy gateway verticle, because nothing blocks an event loop for more than 50 ms.
     */
    private static final long PATIENCE_MILLIS = 250;

    public RecordFlushRequest {
        gateways = List.copyOf(gateways);
    }

    /**
     * Makes the gateways publish on {@link Topic#DECISIONS} every record whose answer has been sent. The future
     * succeeds on the context of the caller: when all gateways have published, or when the time limit has passed. A
     * gateway that exceeds the limit publishes later.
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
        // A gateway verticle handles messages in order. When it answers the liveness message, it has therefore
        // published its records.
        return EventBusLiveness.ask(vertx, gateways);
    }
}
