package dev.sluice.bus;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.Collection;

/** Checks that event loops are not blocked. A verticle that answers here has an event loop that runs. */
public final class Liveness {

    private static final String ADDRESS = "liveness.";
    private static final DeliveryOptions WITHIN_A_SECOND =
            new DeliveryOptions().setLocalOnly(true).setSendTimeout(1_000);

    private Liveness() {}

    /** Lets a verticle answer. It must call this when it starts. */
    public static void answer(Vertx vertx, Context context) {
        vertx.eventBus().localConsumer(ADDRESS + context.deploymentID(), message -> message.reply(""));
    }

    /** Asks these deployments. The future fails if one of them does not answer within a second. */
    public static Future<?> ask(Vertx vertx, Collection<String> deployments) {
        return Future.all(deployments.stream()
                .map(deployment -> vertx.eventBus().request(ADDRESS + deployment, "", WITHIN_A_SECOND))
                .toList());
    }
}
