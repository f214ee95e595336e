package dev.sluice;

import dev.sluice.cli.CertsCommand;
import dev.sluice.cli.CompletionCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point. */
@Command(name = "sluice")
final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main())
                .addSubcommand(new ServeCommand())
                .addSubcommand(new CertsCommand())
                .addSubcommand(new CompletionCommand())
                .execute(args));
    }
}
