package dev.sluice.cli;

import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.doctor.DoctorCommand;
import dev.sluice.cli.explain.ExplainCommand;
import dev.sluice.cli.offline.PolicyTestCommand;
import dev.sluice.cli.offline.ReplayCommand;
import dev.sluice.cli.status.StatusCommand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The root of the command line. Without a subcommand it prints the usage. */
@Command(
        name = "sluice",
        header = "Sluice, a GPU admission gateway for Kubernetes.",
        description = {
            "",
            "Asked by the API server about every pod that wants a GPU, it decides which GPU resource the pod should"
                    + " really ask for, and says why where the user looks.",
            ""
        },
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  sluice demo                                      watch it decide, with nothing set up",
            "  kubectl get nodes -o yaml > cluster.yaml         from then on, without a cluster:",
            "  sluice capacity --cluster-snapshot cluster.yaml  what the nodes offer",
            "  sluice explain -f pod.yaml --cluster-snapshot cluster.yaml",
            "  sluice serve --help                              how it serves, with and without a cluster",
            "",
            "Exit codes: 0 done; 1 the answer is \"no\" (denied, problems found); 2 wrong use or unreadable input.",
            "Each command has examples of its own: sluice COMMAND --help."
        })
public final class SluiceCommand implements Callable<Integer> {

    private static final int COLUMNS = 100;

    @Spec
    @SuppressWarnings("NullAway.Init") // Picocli sets this field before it calls the command.
    private CommandSpec spec;

    private SluiceCommand() {}

    /** The commands of this package and its subpackages, in the order of the help. */
    private static final SequencedMap<String, Supplier<Object>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("explain", ExplainCommand::new);
        COMMANDS.put("capacity", CapacityCommand::new);
        COMMANDS.put("doctor", DoctorCommand::new);
        COMMANDS.put("status", StatusCommand::new);
        COMMANDS.put("test", PolicyTestCommand::new);
        COMMANDS.put("replay", ReplayCommand::new);
        COMMANDS.put("decisions", DecisionsCommand::new);
        COMMANDS.put("console", ConsoleCommand::new);
        COMMANDS.put("metrics", MetricsCommand::new);
        COMMANDS.put("check", CheckCommand::new);
        COMMANDS.put("certs", CertsCommand::new);
        COMMANDS.put("completion", CompletionCommand::new);
        COMMANDS.put("__complete", CompletionCandidatesCommand::new);
        COMMANDS.put("version", VersionCommand::new);
    }

    /** The options that several commands have in common with kubectl. Each of them has a value. */
    private static final Set<String> OF_KUBECTL = Set.of("-n", "--namespace", "--context", "--kubeconfig");

    private static final Set<String> NEED_ALL_COMMANDS = Set.of("completion", "__complete");

    /**
     * Creates the complete command line.
     *
     * @param own the commands of other packages, each annotated with {@link Command}; the help lists them first
     */
    public static CommandLine with(Object... own) {
        return line(Stream.concat(Stream.of(own), COMMANDS.values().stream().map(Supplier::get)));
    }

    /**
     * Creates a command line with this command only, for a process that is going to run it. The classes of the other
     * commands are not loaded, which makes the start faster.
     */
    public static CommandLine only(Object command) {
        return line(Stream.of(command));
    }

    /**
     * Creates a command line with only the command of this name. Returns empty if there is no such command, or if the
     * command needs the complete command line.
     */
    public static Optional<CommandLine> only(String name) {
        return Optional.ofNullable(NEED_ALL_COMMANDS.contains(name) ? null : COMMANDS.get(name))
                .map(command -> only(command.get()));
    }

    /**
     * Moves options of kubectl that are before the subcommand to the end of the arguments. Users write them before the
     * subcommand, as in {@code kubectl gpu -n team doctor}, because kubectl itself allows it.
     */
    public static String[] subcommandFirst(String... arguments) {
        int first = 0;
        while (first < arguments.length && arguments[first].startsWith("-")) {
            String name = arguments[first];
            if (OF_KUBECTL.contains(name)) {
                first += 2;
            } else if (OF_KUBECTL.stream().anyMatch(option -> name.startsWith(option + "="))) {
                first++;
            } else {
                return arguments;
            }
        }
        if (first >= arguments.length) {
            return arguments;
        }
        List<String> all = List.of(arguments);
        List<String> own = all.subList(first, all.size());
        int end = own.contains("--") ? own.indexOf("--") : own.size();
        return Stream.of(own.subList(0, end), all.subList(0, first), own.subList(end, own.size()))
                .flatMap(List::stream)
                .toArray(String[]::new);
    }

    private static CommandLine line(Stream<Object> commands) {
        CommandLine line = new CommandLine(new SluiceCommand());
        if (Boolean.getBoolean("sluice.plugin")) {
            // The script bin/kubectl-gpu sets this property, so that the usage and the errors contain the command that
            // the user has typed.
            line.setCommandName("kubectl gpu");
        }
        commands.forEach(line::addSubcommand);
        nameVersion(line);
        UserErrors errors = new UserErrors();
        return line.setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setExecutionStrategy(errors)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(COLUMNS);
    }

    private static void nameVersion(CommandLine line) {
        line.getCommandSpec().version(version());
        line.getSubcommands().values().forEach(SluiceCommand::nameVersion);
    }

    /**
     * Returns the version from the manifest of the jar. Without a jar, the text says that the program was built from
     * source.
     */
    private static String version() {
        return "sluice "
                + Optional.ofNullable(SluiceCommand.class.getPackage().getImplementationVersion())
                        .orElse("(built from source)");
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.WRONG_USE;
    }
}
