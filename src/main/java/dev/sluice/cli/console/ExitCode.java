package dev.sluice.cli.console;

/** The exit codes of all commands. */
public final class ExitCode {

    public static final int DONE = 0;
    /** The pod was denied, or problems were found. */
    public static final int NO = 1;
    /** The command line is invalid, or the input cannot be read. */
    public static final int WRONG_USE = 2;

    private ExitCode() {}
}
