package dev.sluice;

import dev.sluice.cli.SluiceCommand;
import dev.sluice.cli.demo.DemoCommand;
import dev.sluice.cli.serve.Running;
import dev.sluice.cli.serve.ServeCommand;

/** The entry point. */
final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        int exitCode = SluiceCommand.with(new DemoCommand(System.getenv()), new ServeCommand())
                .execute(arguments);
        Running.endLog();
        System.exit(exitCode);
    }
}
