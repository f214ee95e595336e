package dev.sluice.app;

import dev.sluice.config.ConfigHostRule;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.Serial;
import java.net.BindException;

/** Thrown if the webhook port or the management port cannot be opened. The message names the address and what to do. */
public final class ListenFailedException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    /** The ports on which the gateway listens. */
    enum Listener {
        WEBHOOK("webhook", " (for the demo, --port)"),
        MANAGEMENT("management", " (for the demo, --management-port)"),
        PEERS("peers", "");

        private final String section;
        private final String ofDemo;

        Listener(String section, String ofDemo) {
            this.section = section;
            this.ofDemo = ofDemo;
        }

        /** Returns {@code started}, but with this exception instead of a failure to listen. */
        <T> Future<T> named(Future<T> started, HttpServerOptions address) {
            return started.recover(cause -> Future.failedFuture(
                    isAboutListening(cause) ? new ListenFailedException(this, address, cause) : cause));
        }
    }

    private ListenFailedException(Listener listener, HttpServerOptions address, Throwable taken) {
        super(
                "cannot listen on " + ConfigHostRule.withPort(address.getHost(), address.getPort()) + " ("
                        + listener.section
                        + "): " + reason(taken) + "; set " + listener.section + ".port" + listener.ofDemo,
                taken);
    }

    /**
     * Returns the reason for the message. For example, the native transport says {@code bind(..) failed with
     * error(-98): Address already in use}.
     */
    private static String reason(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("Address already in use") ? "something else listens there" : message;
    }

    /** Returns true for a failure to listen. The native transport has its own exception for such a failure. */
    private static boolean isAboutListening(Throwable failure) {
        return failure instanceof BindException
                || (failure instanceof IOException
                        && String.valueOf(failure.getMessage()).contains("bind"));
    }
}
