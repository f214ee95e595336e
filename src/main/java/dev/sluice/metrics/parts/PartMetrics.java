package dev.sluice.metrics.parts;

import dev.sluice.bus.Service;
import dev.sluice.metrics.MetricFamilies;
import io.vertx.core.Vertx;

/** What one part of the gateway counts, and how it comes to know of it. */
public interface PartMetrics {

    /** The name of the part: the value of a label, and the end of its address on the bus. */
    String part();

    /** All series of the part. Those that can be foreseen exist from the start, at zero. */
    MetricFamilies families();

    /** Subscribes to the topics whose messages are counted or shown, on the context of the caller. */
    void listen(Vertx vertx);

    /** From now on the part listens and answers, on the context of the caller. */
    default void answer(Vertx vertx) {
        listen(vertx);
        Service.SCRAPE.of(part()).serve(vertx, _ -> families().numbers());
    }
}
