package dev.sluice.cli.console;

/** The exit codes of all commands. */
public final class ExitCode {

    public static final int DONE = 0;
    /** The pod is denied, or problems were found. */
    public static final int NO = 1;
    /** The options are wrong, or the input cannot be read. */
    public static final int WRONG_USE = 2;

    private ExitCode() {}
}
