package dev.sluice.bus;

import dev.sluice.bus.Topic.RecordsWanted;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Has gateways publish the decision records that they hold for a moment in order to publish several at once. A consumer
 * that is about to show decisions calls this first.
 *
 * @param gateways the deployments of the gateways that hold records
 */
public record RecordFlusher(List<String> gateways) {

    /**
     * The longest time in milliseconds to wait for the gateways. No event loop may be held for longer than 50 ms, and
     * people wait for the result.
     */
    private static final long PATIENCE_MILLIS = 250;

    public RecordFlusher {
        gateways = List.copyOf(gateways);
    }

    /**
     * Succeeds when every record whose answer has been written is published on {@link Topic#DECISIONS}, or when a
     * gateway takes too long, in which case its records are shown the next time. The result arrives in the context of
     * the caller, even after a timeout.
     */
    public Future<?> flush(Vertx vertx) {
        Context caller = vertx.getOrCreateContext();
        Promise<?> flushed = Promise.promise();
        flushAll(vertx)
                .timeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .onComplete(_ -> caller.runOnContext(_ -> flushed.complete()));
        return flushed.future();
    }

    /** Does the same as {@link #flush}, but fails if a gateway has not answered after a second. */
    public Future<?> flushAll(Vertx vertx) {
        Topic.RECORDS_WANTED.publish(vertx, new RecordsWanted());
        // A gateway that answers this request has handled the messages published before it.
        return Liveness.ask(vertx, gateways);
    }
}
