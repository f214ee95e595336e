package dev.sluice.app;

import dev.sluice.config.ConfigHostRule;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.Serial;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Thrown if a port of the gateway cannot be opened: the webhook port, the management port or the port for other
 * replicas. The message names the address and what to do.
 */
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

        /** Opens the port for a moment, and returns the message of the failure if it cannot be opened. */
        private Optional<String> taken(HttpServerOptions address) {
            try (ServerSocket probe = new ServerSocket()) {
                probe.setReuseAddress(true);
                probe.bind(new InetSocketAddress(address.getHost(), address.getPort()));
                return Optional.empty();
            } catch (IOException failed) {
                return Optional.ofNullable(new ListenFailedException(this, address, failed).getMessage());
            }
        }

        /**
         * Returns a future with the result of {@code started}. A failure to listen is replaced by a
         * {@link ListenFailedException}.
         */
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
     * Opens the webhook port and the management port for a moment, and returns a message for each port that cannot be
     * opened. The start of a gateway would report only the first of these failures.
     */
    public static List<String> taken(SluiceParts parts) {
        return Stream.concat(
                        Listener.WEBHOOK.taken(parts.webhook()).stream(),
                        Listener.MANAGEMENT.taken(parts.management()).stream())
                .toList();
    }

    /**
     * Returns the reason in words. The message of the exception is unsuitable for a port that is in use: the native
     * transport says {@code bind(..) failed with error(-98): Address already in use}.
     */
    private static String reason(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("Address already in use") ? "something else listens there" : message;
    }

    /**
     * Returns true for a failure to listen. The native transport throws no BindException but an IOException whose
     * message contains {@code bind}.
     */
    private static boolean isAboutListening(Throwable failure) {
        return failure instanceof BindException
                || (failure instanceof IOException
                        && String.valueOf(failure.getMessage()).contains("bind"));
    }
}
