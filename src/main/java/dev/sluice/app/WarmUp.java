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
 * Lets a separate gateway answer reviews before the start continues, so that the JVM has loaded and compiled the code.
 * That gateway has its own Vert.x, so its messages reach no other part, and nothing of it remains when it is closed.
 */
final class WarmUp {

    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    /** The time that is added to the longest warm-up before a review without an answer is given up. */
    private static final Duration GRACE = Duration.ofMillis(1_500);

    private WarmUp() {}

    /**
     * Runs the warm-up. Returns the number of reviews that were decided: {@code wanted}, or fewer if the time was over
     * or something failed.
     *
     * @param resources the resources that the pods ask for
     */
    public static Future<Integer> run(
            OwnGateway gateway, Collection<ResourceName> resources, int wanted, Duration longest) {
        Promise<Vertx> opened = Promise.promise();
        // A new thread is needed, because Vert.x warns if it is created on a thread of another Vert.x.
        var _ = Thread.ofPlatform().daemon().name("warm-up").start(() -> open(gateway, opened));
        Load load = new Load(WarmUpReviews.asking(resources), wanted, longest);
        return opened.future()
                .compose(stage -> warmUp(stage, gateway, load)
                        .timeout(longest.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS)
                        .onComplete(_ -> {
                            // The start does not wait for the end of this gateway.
                            var _ = gateway.close(stage);
                        }))
                // A failed warm-up does not keep the real gateway from starting.
                .onFailure(problem -> LOG.atDebug().setCause(problem).log("the warm-up has ended early"))
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

    /** The reviews to send in turn until {@code wanted} of them are answered or {@code longest} has passed. */
    record Load(List<Buffer> reviews, int wanted, Duration longest) {}
}
