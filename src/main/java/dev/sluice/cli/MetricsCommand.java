package dev.sluice.cli;

import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.GatewayApiClient;
import dev.sluice.cli.console.GatewayOption;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.UserProblem;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code sluice metrics}. */
@Command(
        name = "metrics",
        header = "Shows the numbers of a running gateway.",
        description = {
            "",
            "Each metric of one replica with what it counts; series at zero are only counted. With --watch they are"
                    + " shown again every 2 s, each with what was added since.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  kubectl -n gpu-webhook port-forward deploy/gpu-webhook 9090 &",
            "  sluice metrics                        all of them",
            "  sluice metrics decisions fallback     those whose names hold one of these words",
            "  sluice metrics --watch reviews        until Ctrl-C",
            "",
            "Exit codes: 0 shown; 2 wrong use, no such metric, or the gateway does not answer."
        })
final class MetricsCommand implements Callable<Integer> {

    /**
     * The pause between two requests. It is long enough to read the numbers, and one request in 2 s is no load for a
     * gateway.
     */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    @Mixin
    private final GatewayOption gateway = new GatewayOption();

    @Option(names = "--watch", description = "Show them again every 2 s until Ctrl-C.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private boolean watch = false;

    @Parameters(paramLabel = "WORD", description = "Only metrics whose names hold one of these words.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private List<String> words = List.of();

    @Mixin
    private final Terminal terminal = new Terminal();

    @Override
    public Integer call() throws UserProblem, InterruptedException {
        GatewayApiClient api = gateway.api();
        MetricsTable table = new MetricsTable(terminal.page());
        show(api, table);
        while (watch) {
            Thread.sleep(PAUSE);
            terminal.out().println();
            show(api, table);
        }
        return ExitCode.DONE;
    }

    private void show(GatewayApiClient api, MetricsTable table) throws UserProblem, InterruptedException {
        List<MetricsCommandFamily> wanted = MetricsCommandFamily.of(api.metrics()).stream()
                .filter(family -> words.isEmpty()
                        || words.stream()
                                .map(word -> word.toLowerCase(Locale.ROOT))
                                .anyMatch(family.name()::contains))
                .toList();
        if (wanted.isEmpty()) {
            throw new UserProblem("no metric of this gateway has a name with " + String.join(" or ", words)
                    + "; without a word all of them are shown");
        }
        table.print(wanted);
        terminal.out().flush();
    }
}
