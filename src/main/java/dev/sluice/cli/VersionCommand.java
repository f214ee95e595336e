package dev.sluice.cli;

import dev.sluice.cli.console.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code sluice version}. It prints the version, like the option {@code --version}. */
@Command(
        name = "version",
        header = "Prints the version.",
        description = {""},
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  sluice version      the same as sluice --version"})
final class VersionCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // Picocli sets this field before it calls the command.
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().printVersionHelp(spec.commandLine().getOut());
        return ExitCode.DONE;
    }
}
