package dev.sluice.bus;

import dev.sluice.tls.ServerTls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Replaces the certificate of all servers of this gateway. */
public final class TlsChangeRequest {

    private TlsChangeRequest() {}

    /**
     * Replaces the certificate of one server after the other, because Vert.x 5.0.12 cannot replace two at the same
     * time.
     */
    public static Future<?> serve(Vertx vertx, ServerTls tls) {
        return Service.SERVE_TLS
                .ask(vertx, tls)
                .compose(changed -> changed)
                .compose(_ -> Service.MANAGEMENT_TLS.ask(vertx, tls))
                .compose(changed -> changed);
    }
}
