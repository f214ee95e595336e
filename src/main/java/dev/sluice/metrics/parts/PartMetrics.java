package dev.sluice.metrics.parts;

import dev.sluice.bus.Service;
import dev.sluice.metrics.MetricFamilies;
import io.vertx.core.Vertx;

/** The metrics of one part of the gateway. */
public interface PartMetrics {

    /** Returns the name of the part, which is the value of a label and the end of its address on the bus. */
    String part();

    /** Returns all series of the part. Series that are known in advance exist from the start, at zero. */
    MetricFamilies families();

    /** Subscribes to the topics whose messages are counted or shown, on the context of the caller. */
    void listen(Vertx vertx);

    /** Subscribes and begins to answer scrapes, on the context of the caller. */
    default void answer(Vertx vertx) {
        listen(vertx);
        Service.SCRAPE.of(part()).serve(vertx, _ -> families().numbers());
    }
}
