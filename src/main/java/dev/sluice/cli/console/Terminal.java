package dev.sluice.cli.console;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where a command prints. It is a mixin, so that picocli says which command that is. */
@Command
public final class Terminal {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec command;

    public PrintWriter out() {
        return new SafePrinter(command.commandLine().getOut());
    }

    public PrintWriter err() {
        return new SafePrinter(command.commandLine().getErr());
    }

    /** Standard error as it is, for a text of ours that erases itself. */
    public PrintWriter rawErr() {
        return command.commandLine().getErr();
    }

    /** A page on standard output, in colours if the terminal shows them. */
    public TerminalPage page() {
        return new TerminalPage(command.commandLine().getOut(), AnsiStyle.ofThisProcess());
    }

    /** To be thrown if the options are wrong in a way that picocli cannot see. */
    public ParameterException wrongUse(String sentence) {
        return new ParameterException(command.commandLine(), sentence);
    }
}
