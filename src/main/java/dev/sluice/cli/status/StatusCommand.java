package dev.sluice.cli.status;

import dev.sluice.api.ApiJson;
import dev.sluice.api.InstallationStatusDocument;
import dev.sluice.api.InstallationStatusDocument.CheckResult;
import dev.sluice.cli.console.CommandErrorOutput;
import dev.sluice.cli.console.ConnectionOption;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.GatewayOption;
import dev.sluice.cli.console.LiveClusterRequests;
import dev.sluice.cli.console.OutputOption;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.text.DnsLabel;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code sluice status}. */
@Command(
        name = "status",
        header = "Says whether the gateway is installed well, and proves that it decides.",
        description = {
            "",
            "Tries to create a GPU pod with a server-side dry run, which stores nothing. If it comes back decided, the"
                    + " API server calls the gateway and trusts its certificate. Beside that it shows what is"
                    + " registered, for which pods and namespaces, and what each replica says about itself. What you"
                    + " may not read is UNKNOWN, and the rest is shown.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  sluice status",
            "  sluice status -n team-a                  is the gateway asked about pods of this namespace?",
            "  sluice status -o json | jq -r '.checks[] | select(.result == \"fail\") | .evidence'",
            "  sluice status --url http://localhost:9090   for a gateway outside of the cluster",
            "",
            "Exit codes: 0 the dry run was decided and nothing failed; 1 something failed; 2 wrong use, the API server",
            "  cannot be reached, or nothing failed but the dry run was not possible."
        })
public final class StatusCommand implements Callable<Integer>, CommandErrorOutput {

    /** The output formats. The constants are in lower case, because users type them in this form. */
    enum StatusOutput {
        table,
        json
    }

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NS",
            description = "The namespace of the dry run. Without it: that of the context, if its pods are sent to the"
                    + " gateway, or default.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String namespace = null;

    @Option(
            names = "--installed-in",
            paramLabel = "NS",
            description = "The namespace of the gateway. Without it: that of the registered Service, or gpu-webhook.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String installedIn = null;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The management port of a replica; may be repeated. Without it the pods are read through the"
                    + " API server.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private List<String> urls = List.of();

    @Mixin
    private final GatewayOption.Credentials credentials = new GatewayOption.Credentials();

    @Mixin
    private final ConnectionOption connection = new ConnectionOption();

    @Mixin
    private final OutputOption<StatusOutput> output = new OutputOption<>(StatusOutput.table);

    @Mixin
    private final Terminal terminal = new Terminal();

    @Override
    public Integer call() throws ClusterStateException, UserProblem, InterruptedException {
        List<ReplicaAtUrl> replicas = urls.isEmpty()
                ? List.of()
                : credentials.at(urls).stream().map(ReplicaAtUrl::new).toList();
        refuseOtherNames(namespace);
        refuseOtherNames(installedIn);
        try (LiveClusterRequests api = connection.connect()) {
            InstallationStatusDocument status =
                    new InstallationChecks(api, Instant.now()).make(replicas, namespace, installedIn);
            switch (output.format()) {
                case table -> new StatusText(terminal.page()).print(status);
                case json -> ApiJson.print(status, terminal.out());
            }
            terminal.out().flush();
            return status.result() == CheckResult.FAIL
                    ? ExitCode.NO
                    : status.proved() ? ExitCode.DONE : ExitCode.WRONG_USE;
        }
    }

    @Override
    public void writeError(String sentence) {
        ApiJson.print(InstallationStatusDocument.ended(sentence), terminal.out());
        terminal.out().flush();
    }

    /**
     * Refuses a name that is no DNS label. The name becomes a part of a path, in which other characters have a special
     * meaning.
     */
    private void refuseOtherNames(@Nullable String name) {
        if (name != null && !DnsLabel.is(name)) {
            throw terminal.wrongUse("'" + name + "' is not the name of a namespace");
        }
    }
}
