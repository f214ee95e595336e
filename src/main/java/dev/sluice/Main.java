package dev.sluice;

import dev.sluice.cli.SluiceCommand;
import dev.sluice.cli.demo.DemoCommand;
import dev.sluice.cli.serve.Running;
import dev.sluice.cli.serve.ServeCommand;
import picocli.CommandLine;

/** The entry point. */
final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        int exitCode = commandLine(arguments).execute(arguments);
        Running.endLog();
        System.exit(exitCode);
    }

    /** A gateway that starts loads no other command. */
    private static CommandLine commandLine(String... arguments) {
        return arguments.length > 0 && arguments[0].equals("serve")
                ? SluiceCommand.only(new ServeCommand())
                : SluiceCommand.with(new DemoCommand(System.getenv()), new ServeCommand());
    }
}
