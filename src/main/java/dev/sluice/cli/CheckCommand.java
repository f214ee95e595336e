package dev.sluice.cli;

import dev.sluice.cli.console.ConfigOption;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.ConfigProblem;
import dev.sluice.text.CountText;
import dev.sluice.text.ShellWord;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code sluice check}. It loads the configuration and prints all problems that it finds there. */
@Command(
        name = "check",
        header = "Checks the configuration and prints all problems at once.",
        description = {
            "",
            "Loads all files of the configuration, the certificate, its key and the kubeconfig as 'serve' would, and starts"
                    + " nothing. A warning is something doubtful that 'serve' accepts, such as a MIG profile that no GPU model"
                    + " has, or a certificate, a kubeconfig or its credential program that is not on this machine and"
                    + " therefore not checked.",
            ""
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  sluice check                          the file of this installation",
            "  sluice check --config gateway.yaml    before it becomes a ConfigMap",
            "  sluice check --config conf.d          a directory, whose .yaml files are merged",
            "",
            "Exit codes: 0 it can be used, perhaps with warnings; 1 problems; 2 the file cannot be read."
        })
final class CheckCommand implements Callable<Integer> {

    @Mixin
    private final ConfigOption config = new ConfigOption();

    /** A file name that was given without the option {@code --config}, which is a common mistake. */
    @Parameters(arity = "0..1", hidden = true)
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String misplaced = null;

    @Mixin
    private final Terminal terminal = new Terminal();

    @Override
    public Integer call() throws UserProblem {
        if (misplaced != null) {
            throw new UserProblem("sluice check takes no argument; "
                    + ShellWord.of(misplaced)
                            .map("write: sluice check --config "::concat)
                            .orElse("name the file with --config"));
        }
        Optional<Path> file = config.file();
        if (file.isPresent() && !Files.isRegularFile(file.get()) && !Files.isDirectory(file.get())) {
            throw new UserProblem(file.get() + " is not a file; name a gateway configuration with --config");
        }
        if (file.isPresent() && !Files.isReadable(file.get())) {
            throw new UserProblem(file.get() + " may not be read by this user; change its permissions");
        }
        Loading loading = config.load();
        CheckCommandCertificates certificates = CheckCommandCertificates.of(loading, Instant.now());
        CheckCommandKubeconfig kubeconfig = CheckCommandKubeconfig.of(loading);
        return print(
                Stream.of(loading.problems(), certificates.problems(), kubeconfig.problems()),
                Stream.of(loading.warnings(), ofOneReplica(loading), certificates.warnings(), kubeconfig.warnings()));
    }

    private static List<ConfigProblem> ofOneReplica(Loading loading) {
        return loading instanceof Loading.Loaded loaded
                ? loaded.warningOfOneReplica().stream().toList()
                : List.of();
    }

    /** Prints the problems and warnings, and returns the exit code. */
    private int print(Stream<List<?>> allProblems, Stream<List<?>> allWarnings) {
        PrintWriter out = terminal.out();
        List<?> problems = allProblems.flatMap(List::stream).toList();
        List<?> warnings = allWarnings.flatMap(List::stream).toList();
        problems.forEach(problem -> out.println("problem  " + problem));
        warnings.forEach(warning -> out.println("warning  " + warning));
        String name = config.file().map(Path::toString).orElse("the default configuration");
        out.println(name + ": " + summary(problems.size(), warnings.size()));
        out.flush();
        return problems.isEmpty() ? ExitCode.DONE : ExitCode.NO;
    }

    private static String summary(int problems, int warnings) {
        return (problems == 0 ? "can be used" : "cannot be used, " + CountText.of(problems, "problem"))
                + (warnings == 0 ? "" : ", " + CountText.of(warnings, "warning"));
    }
}
