package dev.sluice.app;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;

/** A separate gateway for the warm-up, with its own Vert.x and its own ledger. Only the warm-up sends reviews to it. */
interface WarmUpTarget {

    /** Creates the Vert.x of this gateway. Blocks briefly. */
    Vertx open();

    /** Starts the gateway on a free port of this machine. Returns the options of a client that can connect to it. */
    Future<HttpClientOptions> listen(Vertx stage);

    /** Closes the gateway and its Vert.x. */
    Future<?> close(Vertx stage);
}
