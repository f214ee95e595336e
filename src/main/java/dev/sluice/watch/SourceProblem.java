package dev.sluice.watch;

import java.io.Serial;

/** A source of the cluster's state cannot be used. The message is for users: which source, where, what, the fix. */
public final class SourceProblem extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    SourceProblem(String message) {
        super(message);
    }

    SourceProblem(String message, Throwable cause) {
        super(message, cause);
    }
}
