package dev.sluice.metrics.parts;

import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;

/**
 * Deploys a verticle together with its metrics. The metrics answer scrapes on the event loop of the verticle. If this
 * event loop is blocked, the metrics of the verticle are missing from the scrape.
 */
public final class MeasuredVerticle implements Deployable {

    private final Deployable verticle;
    private final PartMetrics metrics;

    public MeasuredVerticle(Deployable verticle, PartMetrics metrics) {
        this.verticle = verticle;
        this.metrics = metrics;
    }

    /**
     * Deploys the verticle. The metrics subscribe to their topics before the verticle starts, so they miss no message.
     */
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
