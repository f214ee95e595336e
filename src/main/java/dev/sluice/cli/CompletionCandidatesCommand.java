package dev.sluice.cli;

import dev.sluice.cli.console.ExitCode;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The hidden command that prints the words that may come next on a command line, each on a line with its description.
 * The last line is a directive in the format of cobra. The script {@code kubectl_complete-gpu} passes the output to
 * kubectl.
 */
@Command(name = "__complete", hidden = true, header = "Prints what may follow, for kubectl.")
final class CompletionCandidatesCommand implements Callable<Integer> {

    @Parameters(arity = "0..*", description = "The words that were typed; the last one is to be completed.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private List<String> words = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // Picocli sets this field before it calls the command.
    private CommandSpec spec;

    @Override
    public Integer call() {
        CompletionCandidates candidates = CompletionCandidates.of(spec.root(), words);
        PrintWriter out = spec.commandLine().getOut();
        candidates.lines().forEach(line -> out.print(line + "\n"));
        out.print(":" + candidates.directive().number() + "\n");
        out.flush();
        return ExitCode.DONE;
    }
}
