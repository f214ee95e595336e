package dev.sluice.cli.console;

import java.io.Serial;

/** The user can put it right: the message says in one line (or one for each problem) what is wrong and the fix. */
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
