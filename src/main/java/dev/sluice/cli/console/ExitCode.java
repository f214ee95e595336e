package dev.sluice.cli.console;

/** What the exit codes of all commands mean. */
public final class ExitCode {

    public static final int DONE = 0;
    /** The answer is "no": denied, problems found. */
    public static final int NO = 1;
    /** Wrong use or unreadable input. */
    public static final int WRONG_USE = 2;

    private ExitCode() {}
}
