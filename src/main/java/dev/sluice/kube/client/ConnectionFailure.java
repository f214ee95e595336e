package dev.sluice.kube.client;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** Why a request got no response, in words: exceptions of the JDK's client often have no message. */
public final class ConnectionFailure {

    private ConnectionFailure() {}

    /** The message of the innermost cause, in one line. */
    public static String reason(Throwable failed) {
        Throwable cause = failed;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage() == null ? "" : cause.getMessage();
        return switch (cause) {
            // The message is the host name alone, which the address contains already.
            case UnknownHostException _, UnresolvedAddressException _ -> "the host's name is unknown";
            case IOException _ when message.isBlank() -> "connection refused or closed";
            default ->
                message.lines()
                        .findFirst()
                        .orElse("no reason was given (" + cause.getClass().getSimpleName() + ")");
        };
    }
}
