package dev.sluice.app;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.Serial;
import java.net.BindException;

/** An address of the gateway cannot be had; the message says which of the two, and the fix. */
public final class CannotListen extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Who listens. */
    enum Listener {
        WEBHOOK("webhook", "--port"),
        MANAGEMENT("management", "--management-port");

        private final String section;
        private final String optionOfDemo;

        Listener(String section, String optionOfDemo) {
            this.section = section;
            this.optionOfDemo = optionOfDemo;
        }

        /** The start of this listener, which fails by its name where it cannot listen. */
        <T> Future<T> named(Future<T> started, HttpServerOptions address) {
            return started.recover(cause ->
                    Future.failedFuture(isAboutListening(cause) ? new CannotListen(this, address, cause) : cause));
        }
    }

    private CannotListen(Listener listener, HttpServerOptions address, Throwable taken) {
        super(
                "cannot listen on " + address.getHost() + ":" + address.getPort() + " (" + listener.section + "): "
                        + taken.getMessage() + "; set " + listener.section + ".port, or " + listener.optionOfDemo
                        + " of the demo",
                taken);
    }

    /** Native transport has an exception of its own for it. */
    private static boolean isAboutListening(Throwable failure) {
        return failure instanceof BindException
                || (failure instanceof IOException
                        && String.valueOf(failure.getMessage()).contains("bind"));
    }
}
