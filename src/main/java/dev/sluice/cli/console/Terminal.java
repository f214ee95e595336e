package dev.sluice.cli.console;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The output of a command. The command contains it as a mixin of picocli. */
@Command
public final class Terminal {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // Picocli sets this field before it calls the command.
    private CommandSpec command;

    public PrintWriter out() {
        return new TerminalPrinter(command.commandLine().getOut());
    }

    public PrintWriter err() {
        return new TerminalPrinter(command.commandLine().getErr());
    }

    /**
     * Returns standard error without escaping. It is for a progress line of Sluice that erases itself with control
     * characters.
     */
    public PrintWriter rawErr() {
        return command.commandLine().getErr();
    }

    /** Returns a page on standard output, with colours if the terminal supports them. */
    public TerminalPage page() {
        return new TerminalPage(command.commandLine().getOut(), AnsiStyle.ofThisProcess());
    }

    /** Returns an exception for invalid options that picocli does not detect. The caller has to throw the exception. */
    public ParameterException wrongUse(String sentence) {
        return new ParameterException(command.commandLine(), sentence);
    }

    /**
     * Returns {@code readLimit}, the value of {@code --read-limit} in MiB. Throws ParameterException if it is less than
     * 1.
     */
    public int atLeastOneMebibyte(int readLimit) {
        if (readLimit < 1) {
            throw wrongUse("--read-limit wants at least 1 MiB");
        }
        return readLimit;
    }
}
