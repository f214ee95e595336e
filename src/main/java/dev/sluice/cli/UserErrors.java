package dev.sluice.cli;

import dev.sluice.cli.console.CommandErrorOutput;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.TerminalPrinter;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cluster.ClusterStateException;
import java.io.PrintWriter;
import java.util.List;
import java.util.regex.Pattern;
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
final class UserErrors implements IParameterExceptionHandler, IExecutionExceptionHandler, IExecutionStrategy {

    private static final int MEBIBYTE = 1 << 20;

    /**
     * Finds the option {@code -o json} in the words of a command line. The words are searched as text, because no
     * option is parsed if the command line is invalid.
     */
    private static final Pattern JSON = Pattern.compile("(^| )(-o|--output)[ =]?json( |$)", Pattern.CASE_INSENSITIVE);

    /** Runs the command. If an error of the virtual machine ends the command, the error is printed in one line, too. */
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
        PrintWriter err = new TerminalPrinter(command.getErr());
        err.println(command.getCommandSpec().qualifiedName() + why);
        err.flush();
        document(command, arguments.originalArgs(), command.getCommandSpec().qualifiedName() + why);
        return ExitCode.WRONG_USE;
    }

    private static void document(CommandLine command, List<String> arguments, String error) {
        if (command.getCommand() instanceof CommandErrorOutput writer
                && JSON.matcher(String.join(" ", arguments)).find()) {
            writer.writeError(error);
        }
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
        PrintWriter err = new TerminalPrinter(command.getErr());
        err.println(name + ": " + problem.getMessage());
        var _ = UnmatchedArgumentException.printSuggestions(problem, err);
        err.println("See " + name + " --help.");
        err.flush();
        document(command, List.of(arguments), name + ": " + problem.getMessage());
        return ExitCode.WRONG_USE;
    }

    @Override
    public int handleExecutionException(Exception problem, CommandLine command, ParseResult arguments) {
        List<String> lines = switch (problem) {
            case UserProblem known -> known.lines();
            case ClusterStateException known -> List.of(String.valueOf(known.getMessage()));
            default -> List.of(command.getCommandSpec().qualifiedName() + internal(problem));
        };
        PrintWriter err = new TerminalPrinter(command.getErr());
        lines.forEach(err::println);
        err.flush();
        document(command, arguments.originalArgs(), String.join("\n", lines));
        return ExitCode.WRONG_USE;
    }
}
