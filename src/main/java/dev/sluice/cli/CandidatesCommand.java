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
 * Prints what may follow on a command line, as {@code kubectl_complete-gpu} hands it to kubectl: a line for each
 * candidate with its description, then a directive as cobra writes it.
 */
@Command(name = "__complete", hidden = true, header = "Prints what may follow, for kubectl.")
final class CandidatesCommand implements Callable<Integer> {

    @Parameters(arity = "0..*", description = "The words that were typed; the last one is to be completed.")
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it before call()
    private List<String> words = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        WordCandidates candidates = WordCandidates.of(spec.root(), words);
        PrintWriter out = spec.commandLine().getOut();
        candidates.lines().forEach(line -> out.print(line + "\n"));
        out.print(":" + candidates.directive().number() + "\n");
        out.flush();
        return ExitCode.DONE;
    }
}
