package dev.sluice.cli.offline;

import dev.sluice.admission.request.NamespaceGlob;
import dev.sluice.api.ApiJson;
import dev.sluice.cli.console.ConfigOption;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.OutputOption;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.text.NameList;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code sluice test}. It makes the decisions about the pods of test cases, and compares them with the
 * expected decisions.
 */
@Command(
        name = "test",
        header = "Tests a policy: decides the pods of cases, and compares.",
        description = {
            "",
            "A case has a pod, a cluster, a policy and what is expected. It is a directory with pod.yaml, cluster.yaml,"
                    + " gateway.yaml and expected.yaml, or an item in a file that is called *.test.yaml or *.test.json."
                    + " Directories are searched with all directories below. Each case is decided by itself, without a"
                    + " cluster or a gateway, as a gateway would decide it. The options --config and --cluster-snapshot"
                    + " count for all cases, also for those that name files of their own. The page policy-tests.md"
                    + " describes the files.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  sluice test conf/policy-tests",
            "      the example suite, to copy from",
            "  sluice test policy-tests --config gateway.yaml --cluster-snapshot cluster.yaml",
            "      all cases with this configuration and this cluster, whatever they name themselves",
            "  sluice test policy-tests --name '*whole*'",
            "      only cases whose name has the word",
            "  sluice test policy-tests --junit report.xml",
            "      for continuous integration",
            "",
            "Exit codes: 0 all cases passed; 1 some failed; 2 wrong use, or a case that cannot be read."
        })
public final class PolicyTestCommand implements Callable<Integer> {

    private static final int NAMES_SHOWN = 5;

    /** The output formats. The constants are in lower case, because users type them in this form. */
    enum PolicyTestOutput {
        text,
        json,
        junit
    }

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Files and directories with cases.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private List<Path> places = List.of();

    @Option(
            names = "--cluster-snapshot",
            paramLabel = "FILE",
            description = "The cluster of all cases, in place of those that they name; as kubectl get"
                    + " nodes,pods,limitranges -A -o yaml writes it.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable Path cluster = null;

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Option(
            names = "--name",
            paramLabel = "PATTERN",
            description = "Only cases whose name matches; * and ? are wildcards. May be repeated.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private List<String> names = List.of();

    @Option(names = "--junit", paramLabel = "FILE", description = "Also writes the results to FILE as JUnit XML.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable Path junit = null;

    @Mixin
    private final OutputOption<PolicyTestOutput> output = new OutputOption<>(PolicyTestOutput.text);

    @Mixin
    private final Terminal terminal = new Terminal();

    @Override
    public Integer call() throws UserProblem {
        deleteOldReport();
        List<PolicyCase> selected = selected(CaseSuite.read(places));
        List<CaseResult> results = new CaseRunner(config, Optional.ofNullable(cluster), terminal.err()).run(selected);
        switch (output.format()) {
            case text -> new PolicyTestText(terminal.page()).print(results);
            case json -> ApiJson.print(PolicyTestDocument.of(results), terminal.out());
            case junit -> terminal.out().print(JUnitReport.of(results));
        }
        terminal.out().flush();
        if (junit != null) {
            write(junit, JUnitReport.of(results));
        }
        return results.stream().allMatch(CaseResult::hasPassed) ? ExitCode.DONE : ExitCode.NO;
    }

    private List<PolicyCase> selected(List<PolicyCase> all) throws UserProblem {
        List<NamespaceGlob> patterns = names.stream().map(NamespaceGlob::new).toList();
        List<PolicyCase> selected = all.stream()
                .filter(one -> patterns.isEmpty() || patterns.stream().anyMatch(pattern -> pattern.matches(one.name())))
                .toList();
        if (selected.isEmpty()) {
            throw new UserProblem("no case has a name that matches " + String.join(" or ", names)
                    + "; there are: "
                    + NameList.of(all.stream().map(PolicyCase::name).toList(), NAMES_SHOWN));
        }
        return selected;
    }

    /**
     * Deletes the report of an earlier run. If this run fails before it writes a report, the old one could be mistaken
     * for its result.
     */
    private void deleteOldReport() throws UserProblem {
        Path file = junit;
        if (file != null && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.delete(file);
            } catch (IOException failed) {
                throw notWritten(file, failed);
            }
        }
    }

    private static void write(Path file, String text) throws UserProblem {
        try {
            Files.writeString(file, text);
        } catch (IOException failed) {
            throw notWritten(file, failed);
        }
    }

    private static UserProblem notWritten(Path file, IOException failed) {
        String reason = switch (failed) {
            case NoSuchFileException _ -> "its directory does not exist";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> failed.getMessage();
        };
        return new UserProblem(file + " cannot be written: " + reason, failed);
    }
}
