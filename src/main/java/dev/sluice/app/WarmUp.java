package dev.sluice.app;

import dev.sluice.cluster.quantity.ResourceName;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a separate gateway answer reviews before the start continues. That gateway has a Vert.x of its own, so nothing
 * that it publishes is received elsewhere, and nothing of it stays when it is closed.
 */
final class WarmUp {

    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    /** A review that is never answered is waited for so much longer. */
    private static final Duration GRACE = Duration.ofMillis(1_500);

    private WarmUp() {}

    /**
     * Succeeds with the number of reviews that were decided: those that are {@code wanted}, or fewer if the time was
     * over or something failed.
     *
     * @param resources what the pods ask for
     */
    public static Future<Integer> run(
            OwnGateway gateway, Collection<ResourceName> resources, int wanted, Duration longest) {
        Promise<Vertx> opened = Promise.promise();
        // Vert.x warns when it is made on a thread of another one.
        var _ = Thread.ofPlatform().daemon().name("warm-up").start(() -> open(gateway, opened));
        Load load = new Load(WarmUpReviews.asking(resources), wanted, longest);
        return opened.future()
                .compose(stage -> warmUp(stage, gateway, load)
                        .timeout(longest.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS)
                        .onComplete(_ -> {
                            // Nobody waits for it.
                            var _ = gateway.close(stage);
                        }))
                // The gateway serves all the same.
                .onFailure(problem -> LOG.atDebug().setCause(problem).log("The warm-up has ended early"))
                .otherwise(0);
    }

    private static void open(OwnGateway gateway, Promise<Vertx> opened) {
        try {
            opened.complete(gateway.open());
        } catch (RuntimeException | LinkageError failed) {
            opened.fail(failed);
        }
    }

    private static Future<Integer> warmUp(Vertx stage, OwnGateway gateway, Load load) {
        long begun = System.nanoTime();
        return gateway.listen(stage)
                .compose(client -> WarmUpClient.send(stage, client, load, begun))
                .onSuccess(answered -> LOG.atInfo()
                        .addKeyValue("reviews", answered)
                        .addKeyValue("millis", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun))
                        .log("warmed up"));
    }

    /** Reviews to be sent by turns, until so many were answered or the time is over. */
    record Load(List<Buffer> reviews, int wanted, Duration longest) {}
}
