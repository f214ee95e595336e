package dev.sluice.cli.console;

import java.io.Serial;

/** A problem that the user can solve. Each line of the message says what is wrong and what to do. */
public final class UserProblem extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    public UserProblem(String message) {
        super(message);
    }

    public UserProblem(String message, Throwable cause) {
        super(message, cause);
    }
}
