package dev.sluice.cluster;

import java.io.Serial;

/** Thrown if the source of the cluster's state cannot be used. The message is for users and says what to do. */
public final class ClusterStateException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    public ClusterStateException(String message) {
        super(message);
    }

    public ClusterStateException(String message, Throwable cause) {
        super(message, cause);
    }
}
