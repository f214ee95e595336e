package dev.sluice.kube.client;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** Formats the reason why a request got no response. Exceptions of the JDK's HTTP client often have no message. */
public final class ApiServerConnectionFailure {

    private ApiServerConnectionFailure() {}

    /** Returns the message of the innermost cause in one line. */
    public static String reason(Throwable failed) {
        Throwable cause = failed;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage() == null ? "" : cause.getMessage();
        return switch (cause) {
            // The message of this exception is only the host name, which the address in the error message already
            // contains.
            case UnknownHostException _, UnresolvedAddressException _ -> "the host's name is unknown";
            case IOException _ when message.isBlank() -> "connection refused or closed";
            default ->
                message.lines()
                        .findFirst()
                        .orElse("no reason was given (" + cause.getClass().getSimpleName() + ")");
        };
    }
}
