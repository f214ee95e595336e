package dev.sluice.cli.console;

import dev.sluice.cluster.SourceProblem;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints errors: one line for a problem that the user can solve, and a stack trace for a bug in Sluice. */
public final class UserErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {

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
            default -> {
                err.println(command.getCommandSpec().qualifiedName() + " failed because of an internal error:");
                problem.printStackTrace(err);
            }
        }
        err.flush();
        return ExitCode.WRONG_USE;
    }
}
