package dev.sluice.cli.offline;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.NamespaceGlob;
import dev.sluice.api.ApiJson;
import dev.sluice.api.ClusterContents;
import dev.sluice.cli.console.ClusterOption;
import dev.sluice.cli.console.ConfigOption;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.OutputOption;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.cluster.dra.DeviceClaims;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.GatewayConfig;
import dev.sluice.kube.facts.KubectlFileLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code sluice replay}. It decides again about pods of the past, and shows what would have been different.
 */
@Command(
        name = "replay",
        header = "Says what another policy would have done with pods of the past.",
        description = {
            "",
            "Reads the pods of a cluster, an audit log of the API server, or recorded decisions; decides the pods again,"
                    + " in the order in which they were created, by the given policy and cluster; and counts what would"
                    + " be different, by namespace, by what was asked for, and by the workload. Nothing in the cluster"
                    + " is changed. In availability mode each pod takes what it is given until it ends, so that the next"
                    + " pods find it taken. The page replay.md says what each kind of input can tell.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  kubectl get pods -A -o json > pods.json",
            "  sluice replay pods.json --config new.yaml",
            "      the pods that are there, by a new policy and the nodes of the live cluster",
            "  sluice replay audit-*.log audit.log --config new.yaml --cluster-snapshot cluster.json",
            "      last week by its audit logs; the files in the order of their times, gzipped or not",
            "  sluice decisions --limit 1000 -o json | sluice replay - --config new.yaml",
            "      the last decisions of a gateway",
            "  sluice replay pods.json --config new.yaml --pods -n 'team-*'",
            "      each pod of these namespaces, before and after",
            "",
            "Exit codes: 0 nothing would be different; 1 something would be; 2 wrong use, or unreadable input."
        })
public final class ReplayCommand implements Callable<Integer> {

    /** The output formats. The constants are in lower case, because users type them in this form. */
    enum ReplayOutput {
        text,
        json
    }

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Pods, audit logs or recorded decisions; - is standard input.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private List<String> files = List.of();

    @Mixin
    private final ClusterOption cluster = new ClusterOption();

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "PATTERN",
            description =
                    "Only shows pods of namespaces that match; * and ? are wildcards. All pods are decided, because"
                            + " all take resources. May be repeated.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private List<String> namespaces = List.of();

    @Option(names = "--pods", description = "Also prints each pod, what became of it and what would have.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private boolean pods = false;

    @Mixin
    private final OutputOption<ReplayOutput> output = new OutputOption<>(
            ReplayOutput.text, "; json prints one document, and with --pods one document on each line");

    @Mixin
    private final Terminal terminal = new Terminal();

    @Override
    public Integer call() throws UserProblem, ClusterStateException {
        Loading.Loaded gateway = config.requireCopy();
        gateway.config().gpus().use();
        ActivePolicy policy = ActivePolicy.first(gateway.config().policy(), gateway.injector());
        ClusterContents contents = contents(gateway.config().kubernetes(), policy);
        ReplayProgress progress = new ReplayProgress(terminal.rawErr());
        ReplayTotals totals = new ReplayTotals();
        ReplayOmissions leftOut = new ReplayOmissions();
        Replayer replayer = new Replayer(policy.limitedBy(contents.limitRanges()), contents, shown(totals, progress));
        ReplayTimeline timeline =
                new ReplayTimeline(replayer, Runtime.getRuntime().maxMemory());
        ReplayFile reader = new ReplayFile(timeline, leftOut, progress);
        try {
            for (String file : files) {
                reader.read(file);
            }
            timeline.end();
        } finally {
            progress.clear();
        }
        ReplaySummary summary = new ReplaySummary(
                config.file().map(Path::toString).orElse("defaults"),
                contents.nodes().size(),
                totals,
                leftOut.all(),
                replayer.withoutGpu(),
                replayer.held(),
                replayer.repeated(),
                timeline.late());
        if (totals.pods() + replayer.withoutGpu() == 0 && namespaces.isEmpty()) {
            throw nothing(summary);
        }
        print(summary);
        terminal.out().flush();
        return leftOut.isAnyUnreadable() ? ExitCode.WRONG_USE : totals.isAnyDifferent() ? ExitCode.NO : ExitCode.DONE;
    }

    private ClusterContents contents(GatewayConfig.Kubernetes live, ActivePolicy policy)
            throws ClusterStateException, UserProblem {
        KubectlFileLimits limits = KubectlFileLimits.ofCommand(KubectlFileLimits.MEBIBYTES);
        ClusterContents read = policy.policies().reserve()
                ? cluster.contents(live, limits, terminal.err())
                : cluster.nodes(live, limits, terminal.err());
        // The allocations of ResourceClaims are removed. They are those of today, but the replay is about an earlier
        // time.
        return new ClusterContents(
                read.nodes(),
                read.pods(),
                read.leftOut(),
                new DraState(read.dra().supply(), DeviceClaims.NONE),
                read.limitRanges(),
                read.plugin());
    }

    private Consumer<ReplayedPod> shown(ReplayTotals totals, ReplayProgress progress) {
        List<NamespaceGlob> patterns =
                namespaces.stream().map(NamespaceGlob::new).toList();
        ReplayText text = new ReplayText(terminal.page());
        return pod -> {
            if (!patterns.isEmpty() && patterns.stream().noneMatch(pattern -> pattern.matches(pod.namespace()))) {
                return;
            }
            totals.accept(pod);
            if (pods) {
                progress.clear();
                switch (output.format()) {
                    case text -> text.pod(pod);
                    case json -> terminal.out().println(ApiJson.text(ReplayDocument.ReplayedPodLine.of(pod)));
                }
            }
        };
    }

    private void print(ReplaySummary summary) {
        switch (output.format()) {
            case text -> {
                ReplayText text = new ReplayText(terminal.page());
                if (pods) {
                    text.legend(summary.totals());
                }
                text.summary(summary);
            }
            case json -> {
                if (pods) {
                    terminal.out().println(ApiJson.text(ReplayDocument.of(summary)));
                } else {
                    ApiJson.print(ReplayDocument.of(summary), terminal.out());
                }
            }
        }
    }

    private UserProblem nothing(ReplaySummary summary) {
        String notes = summary.notes().isEmpty() ? "" : ": " + String.join("; ", summary.notes());
        String read = files.stream().map(ReplayFile::shown).collect(Collectors.joining(", "));
        return new UserProblem("there is no pod to replay in " + read + notes
                + "; give pods (kubectl get pods -A -o json), an audit log with one event on each line, or the output of"
                + " sluice decisions -o json");
    }
}
