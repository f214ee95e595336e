package dev.sluice.kube.transport;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** Why a request got no answer, in words: the JDK's client often gives nothing but a class. */
public final class ConnectionFailure {

    private ConnectionFailure() {}

    /** What the innermost cause says, in one line. */
    public static String reason(Throwable failed) {
        Throwable cause = failed;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage() == null ? "" : cause.getMessage();
        return switch (cause) {
            // Its message is the name alone, which the address tells already.
            case UnknownHostException _, UnresolvedAddressException _ -> "the host's name is unknown";
            case IOException _ when message.isBlank() -> "connection refused or closed";
            default ->
                message.lines()
                        .findFirst()
                        .orElse("no reason was given (" + cause.getClass().getSimpleName() + ")");
        };
    }
}
