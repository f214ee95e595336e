package dev.sluice.metrics.parts;

import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;

/**
 * A verticle with its metrics, of which it need not know. They answer scrapes on its event loop, so a verticle whose
 * event loop is blocked is missing in a scrape.
 */
public final class MeasuredVerticle implements Deployable {

    private final Deployable verticle;
    private final PartMetrics metrics;

    public MeasuredVerticle(Deployable verticle, PartMetrics metrics) {
        this.verticle = verticle;
        this.metrics = metrics;
    }

    /** The numbers listen before the verticle can publish anything. */
    @Override
    public Future<?> deploy(Context context) throws Exception {
        metrics.answer(context.owner());
        return verticle.deploy(context);
    }

    @Override
    public Future<?> undeploy(Context context) throws Exception {
        return verticle.undeploy(context);
    }
}
