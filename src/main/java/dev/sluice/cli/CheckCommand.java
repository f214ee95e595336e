package dev.sluice.cli;

import dev.sluice.cli.console.ConfigOption;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.GatewayConfig;
import dev.sluice.config.tree.KeyPositions;
import dev.sluice.config.tree.Problem;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Loads the configuration and prints everything that is wrong with it. */
@Command(
        name = "check",
        header = "Checks the configuration and prints all problems at once.",
        description = {
            "",
            "Loads every configuration file as 'serve' would, and starts nothing. A warning is something doubtful"
                    + " that 'serve' accepts: a MIG profile that no GPU model has, or a certificate file that is not on"
                    + " this machine.",
            ""
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  sluice check                          the file of this installation",
            "  sluice check --config gateway.yaml    before it becomes a ConfigMap",
            "",
            "Exit codes: 0 it can be used, perhaps with warnings; 1 problems; 2 the file cannot be read."
        })
final class CheckCommand implements Callable<Integer> {

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Mixin
    private final Terminal terminal = new Terminal();

    @Override
    public Integer call() throws UserProblem {
        Optional<Path> file = config.file();
        if (file.isPresent() && !Files.isRegularFile(file.get())) {
            throw new UserProblem(file.get() + " is no file; name a gateway configuration with --config");
        }
        return switch (config.load()) {
            case Loading.NotLoaded refused -> {
                print(refused.problems(), refused.warnings());
                yield ExitCode.NO;
            }
            case Loading.Loaded loaded -> {
                List<Problem> warnings = new ArrayList<>(loaded.warnings());
                warnings.addAll(missingFiles(loaded.config().tls(), loaded.keyPositions()));
                print(List.of(), warnings);
                yield ExitCode.DONE;
            }
        };
    }

    /** The problem is only a warning, because the configuration may be meant for another machine. */
    private static List<Problem> missingFiles(GatewayConfig.Tls tls, KeyPositions written) {
        Map<String, Path> files = new LinkedHashMap<>();
        if (tls.mode() == GatewayConfig.TlsMode.FILES) {
            files.put("tls.certificate", tls.certificate());
            files.put("tls.key", tls.key());
        }
        if (tls.clientCa() != null) {
            files.put("tls.clientCa", tls.clientCa());
        }
        return files.entrySet().stream()
                .filter(entry -> !Files.isReadable(entry.getValue()))
                .map(entry -> written.problem(
                        entry.getKey(),
                        "is " + entry.getValue() + ", which cannot be read on this machine",
                        "expected a file where the gateway runs"))
                .toList();
    }

    private void print(List<Problem> problems, List<Problem> warnings) {
        PrintWriter out = terminal.out();
        problems.forEach(problem -> out.println("problem  " + problem));
        warnings.forEach(warning -> out.println("warning  " + warning));
        String name = config.file().map(Path::toString).orElse("the default configuration");
        out.println(name + ": " + summary(problems.size(), warnings.size()));
        out.flush();
    }

    private static String summary(int problems, int warnings) {
        String doubtful = warnings == 0 ? "" : warnings == 1 ? ", 1 warning" : ", " + warnings + " warnings";
        return switch (problems) {
            case 0 -> "can be used" + doubtful;
            case 1 -> "cannot be used, 1 problem" + doubtful;
            default -> "cannot be used, " + problems + " problems" + doubtful;
        };
    }
}
