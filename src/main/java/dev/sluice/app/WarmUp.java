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
 * Sends reviews to a separate gateway before the real one starts, so that the JVM has loaded and compiled the code. The
 * separate gateway has its own Vert.x, so its messages reach no part of the real gateway. After it is closed, it uses
 * no memory and no threads.
 */
final class WarmUp {

    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    /** How long the warm-up still waits, after its time limit, for the answer to a review that was sent. */
    private static final Duration GRACE = Duration.ofMillis(1_500);

    private WarmUp() {}

    /**
     * Runs the warm-up. Returns the number of reviews that were decided. It is {@code wanted}, or less if the time
     * limit was reached or something failed.
     *
     * @param resources the resources that the pods of the reviews request
     */
    public static Future<Integer> run(
            WarmUpTarget gateway, Collection<ResourceName> resources, int wanted, Duration longest) {
        Promise<Vertx> opened = Promise.promise();
        // Vert.x logs a warning if it is created on a thread of another Vert.x.
        var _ = Thread.ofPlatform().daemon().name("warm-up").start(() -> open(gateway, opened));
        Load load = new Load(WarmUpReviews.asking(resources), wanted, longest);
        return opened.future()
                .compose(stage -> warmUp(stage, gateway, load)
                        .timeout(longest.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS)
                        .onComplete(_ -> {
                            // The gateway of the warm-up closes in the background, so the start need not wait for it.
                            var _ = gateway.close(stage);
                        }))
                // If the warm-up fails, the real gateway starts nevertheless.
                .onFailure(problem -> LOG.atDebug().setCause(problem).log("the warm-up has ended early"))
                .otherwise(0);
    }

    private static void open(WarmUpTarget gateway, Promise<Vertx> opened) {
        try {
            opened.complete(gateway.open());
        } catch (RuntimeException | LinkageError failed) {
            opened.fail(failed);
        }
    }

    private static Future<Integer> warmUp(Vertx stage, WarmUpTarget gateway, Load load) {
        long begun = System.nanoTime();
        return gateway.listen(stage)
                .compose(client -> WarmUpClient.send(stage, client, load, begun))
                .onSuccess(answered -> LOG.atInfo()
                        .addKeyValue("reviews", answered)
                        .addKeyValue("millis", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun))
                        .log("warmed up"));
    }

    /**
     * The reviews of the warm-up. They are sent in turn until {@code wanted} of them are answered or {@code longest}
     * has passed.
     */
    record Load(List<Buffer> reviews, int wanted, Duration longest) {}
}
