package dev.sluice.bus;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.Collection;

/**
 * Checks that the event loops of verticles are not blocked. It sends a message to each verticle, and the verticle
 * answers it on its event loop.
 */
public final class EventBusLiveness {

    private static final String ADDRESS = "liveness.";
    private static final DeliveryOptions WITHIN_A_SECOND =
            new DeliveryOptions().setLocalOnly(true).setSendTimeout(1_000);

    private EventBusLiveness() {}

    /**
     * Registers a handler that answers liveness messages on the event loop of the verticle. A verticle must call this
     * method when it starts.
     */
    public static void answer(Vertx vertx, Context context) {
        vertx.eventBus().localConsumer(ADDRESS + context.deploymentID(), message -> message.reply(""));
    }

    /**
     * Sends a liveness message to the verticles with these deployment ids. The future fails if one of them does not
     * answer within a second.
     */
    public static Future<?> ask(Vertx vertx, Collection<String> deployments) {
        return Future.all(deployments.stream()
                .map(deployment -> vertx.eventBus().request(ADDRESS + deployment, "", WITHIN_A_SECOND))
                .toList());
    }
}
