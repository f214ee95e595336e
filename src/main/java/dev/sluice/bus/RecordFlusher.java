package dev.sluice.bus;

import dev.sluice.bus.Topic.RecordsWanted;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The records of decisions that gateways hold for a moment, to publish several at once. A consumer that is about to
 * show decisions has them published first.
 *
 * @param gateways the deployments that hold some
 */
public record RecordFlusher(List<String> gateways) {

    /** No loop may be held for longer than 50 ms, and people wait for what is shown. */
    private static final long PATIENCE_MILLIS = 250;

    public RecordFlusher {
        gateways = List.copyOf(gateways);
    }

    /**
     * Succeeds when every answer that was written before has been told on {@link Topic#DECISIONS}, or when a gateway
     * takes too long: what it holds is shown the next time. The caller goes on in its own context, also after a
     * timeout, which comes on a thread of its own.
     */
    public Future<?> tell(Vertx vertx) {
        Context caller = vertx.getOrCreateContext();
        Promise<?> told = Promise.promise();
        tellAll(vertx)
                .timeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .onComplete(_ -> caller.runOnContext(_ -> told.complete()));
        return told.future();
    }

    /** As {@link #tell}, but it fails if a gateway has not answered after a second. */
    public Future<?> tellAll(Vertx vertx) {
        Topic.RECORDS_WANTED.publish(vertx, new RecordsWanted());
        // A gateway that answers this has handled what was published before it.
        return Liveness.ask(vertx, gateways);
    }
}
