package dev.sluice.cli.console;

import java.io.Serial;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A problem that the user can solve. Each line of the message says what is wrong and what to do. */
public final class UserProblem extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final transient List<String> lines;

    /**
     * Creates a problem with a message of one line. Line breaks in the message become blanks when the message is
     * printed.
     */
    public UserProblem(String message) {
        this(List.of(message), null);
    }

    public UserProblem(String message, Throwable cause) {
        this(List.of(message), cause);
    }

    public UserProblem(List<String> lines, @Nullable Throwable cause) {
        super(String.join("\n", lines), cause);
        this.lines = List.copyOf(lines);
    }

    /**
     * Returns the lines of the message. A line that quotes untrusted text may contain line breaks, so the caller must
     * make it safe before it prints the line.
     */
    public List<String> lines() {
        return lines;
    }
}
