package dev.sluice.metrics.parts;

import dev.sluice.bus.Service;
import dev.sluice.metrics.MetricFamilies;
import io.vertx.core.Vertx;

/** The metrics of one part of the gateway, usually of one verticle. */
public interface PartMetrics {

    /**
     * Returns the name of the part. It is the value of the label {@code part}, and the end of the address at which the
     * part answers scrapes.
     */
    String part();

    /** Returns all series of the part. Series that are known in advance exist from the start and begin at zero. */
    MetricFamilies families();

    /** Subscribes to the topics that the metrics count or show. The messages arrive on the context of the caller. */
    void listen(Vertx vertx);

    /** Subscribes to the topics, and answers scrapes on the context of the caller from now on. */
    default void answer(Vertx vertx) {
        listen(vertx);
        Service.SCRAPE.of(part()).serve(vertx, _ -> families().numbers());
    }
}
