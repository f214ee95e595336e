package dev.sluice;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.cli.ServeCommand;
import dev.sluice.cli.ServeGateway;
import dev.sluice.cli.ServeUntilStopped;
import dev.sluice.cli.SluiceCommand;
import dev.sluice.cli.console.TerminalPrinter;
import dev.sluice.cli.demo.DemoCommand;
import dev.sluice.log.LossCounter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;

/** The entry point. */
final class Main {

    private static final String SERVE = "serve";

    private Main() {}

    public static void main(String[] typed) {
        String[] arguments = SluiceCommand.subcommandFirst(typed);
        int exitCode = serving(arguments)
                .map(ServeGateway::run)
                .orElseGet(() -> commandLine(arguments).execute(arguments));
        // Logback is stopped only if it was used. Stopping an unused Logback would start it first, and make short
        // commands slower.
        if (LossCounter.isUsed()) {
            ServeUntilStopped.endLog();
        }
        System.exit(exitCode);
    }

    /**
     * Returns the gateway if the arguments are a {@code serve} command line that needs no picocli. Returns empty
     * otherwise. Loading picocli takes a third of a second, because its class files are too old for the AOT cache.
     */
    private static Optional<ServeGateway> serving(String... arguments) {
        return arguments.length > 0 && arguments[0].equals(SERVE)
                ? ServeGateway.plain(
                        List.of(arguments).subList(1, arguments.length),
                        new TerminalPrinter(new PrintWriter(System.err, true, UTF_8)))
                : Optional.empty();
    }

    /**
     * Returns a command line with only the command that the first argument names. The classes of the other commands are
     * then not loaded. Returns a command line with all commands if the first argument names no command, or a command
     * that needs the others.
     */
    private static CommandLine commandLine(String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        return first.equals(SERVE)
                ? SluiceCommand.only(new ServeCommand())
                : SluiceCommand.only(first)
                        .orElseGet(() -> SluiceCommand.with(new DemoCommand(System.getenv()), new ServeCommand()));
    }
}
