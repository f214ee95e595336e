package dev.sluice.bus;

import dev.sluice.tls.ServerTls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** A change of what the servers of this gateway serve with. */
public final class TlsChange {

    private TlsChange() {}

    /** Changes one server after the other, because Vert.x 5.0.12 cannot do it for two at once. */
    public static Future<?> serve(Vertx vertx, ServerTls tls) {
        return Service.SERVE_TLS
                .ask(vertx, tls)
                .compose(changed -> changed)
                .compose(_ -> Service.MANAGEMENT_TLS.ask(vertx, tls))
                .compose(changed -> changed);
    }
}
