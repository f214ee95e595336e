package dev.sluice.cluster;

import java.io.Serial;

/** A source of the cluster's state cannot be used. The message is for users and says how to fix it. */
public final class SourceProblem extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    public SourceProblem(String message) {
        super(message);
    }

    public SourceProblem(String message, Throwable cause) {
        super(message, cause);
    }
}
