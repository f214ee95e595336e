package dev.sluice.app;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;

/** The gateway of the warm-up, which only the warm-up calls. It has its own ledger. */
interface OwnGateway {

    /** Opens a Vert.x that only this gateway and its client use. The call blocks briefly. */
    Vertx open();

    /** Starts the gateway on a free port of this machine. Returns the options of a client for it. */
    Future<HttpClientOptions> listen(Vertx stage);

    /** Closes the gateway and its Vert.x. */
    Future<?> close(Vertx stage);
}
