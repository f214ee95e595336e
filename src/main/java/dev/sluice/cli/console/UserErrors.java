package dev.sluice.cli.console;

import dev.sluice.cluster.SourceProblem;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Prints errors, each in one line: a problem that the user can solve, a lack of memory, or a bug in Sluice with the
 * place in the code.
 */
public final class UserErrors implements IParameterExceptionHandler, IExecutionExceptionHandler, IExecutionStrategy {

    private static final int MEBIBYTE = 1 << 20;

    /** Runs the command. An error of the virtual machine ends it with one line, too. */
    @Override
    public int execute(ParseResult arguments) {
        try {
            return new RunLast().execute(arguments);
        } catch (OutOfMemoryError _) {
            return end(
                    arguments,
                    " needs more memory than its heap of "
                            + Runtime.getRuntime().maxMemory() / MEBIBYTE
                            + " MiB; give it less to read, or allow more, for example with SLUICE_JAVA_OPTS=-Xmx"
                            + 4 * Runtime.getRuntime().maxMemory() / MEBIBYTE + "m");
        } catch (StackOverflowError _) {
            return end(arguments, " cannot read something that is nested too deeply; give it less to read");
        } catch (Error bug) {
            return end(arguments, internal(bug));
        }
    }

    private static int end(ParseResult arguments, String why) {
        ParseResult last = arguments;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        CommandLine command = last.commandSpec().commandLine();
        PrintWriter err = new SafePrinter(command.getErr());
        err.println(command.getCommandSpec().qualifiedName() + why);
        err.flush();
        return ExitCode.WRONG_USE;
    }

    private static String internal(Throwable bug) {
        StackTraceElement[] frames = bug.getStackTrace();
        return " failed because of an internal error: " + bug + (frames.length == 0 ? "" : ", at " + frames[0])
                + "; please report it";
    }

    @Override
    public int handleParseException(ParameterException problem, String[] arguments) {
        CommandLine command = problem.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        PrintWriter err = new SafePrinter(command.getErr());
        err.println(name + ": " + problem.getMessage());
        var _ = UnmatchedArgumentException.printSuggestions(problem, err);
        err.println("See " + name + " --help.");
        return ExitCode.WRONG_USE;
    }

    @Override
    public int handleExecutionException(Exception problem, CommandLine command, ParseResult arguments) {
        PrintWriter err = new SafePrinter(command.getErr());
        switch (problem) {
            case UserProblem known -> known.lines().forEach(err::println);
            case SourceProblem known -> err.println(known.getMessage());
            default -> err.println(command.getCommandSpec().qualifiedName() + internal(problem));
        }
        err.flush();
        return ExitCode.WRONG_USE;
    }
}
