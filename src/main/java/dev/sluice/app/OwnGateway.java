package dev.sluice.app;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;

/** A gateway that only the warm-up calls, with a ledger of its own. */
interface OwnGateway {

    /** Opens a Vert.x for the gateway and its client only. The call blocks briefly. */
    Vertx open();

    /** Starts the gateway on a free port of this machine. The options are those of a client that calls it. */
    Future<HttpClientOptions> listen(Vertx stage);

    /** Closes the gateway and its Vert.x. */
    Future<?> close(Vertx stage);
}
