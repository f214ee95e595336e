package dev.sluice.cli.doctor;

import dev.sluice.api.ApiJson;
import dev.sluice.api.DiagnosisDocument;
import dev.sluice.api.DiagnosisDocument.BundleDocument;
import dev.sluice.api.DiagnosisDocument.DoctorDocument;
import dev.sluice.cli.console.ConfigOption;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.GatewayApiClient;
import dev.sluice.cli.console.OutputOption;
import dev.sluice.cli.console.RunningGatewayOption;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cli.console.UserErrorSuggestions;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.doctor.DoctorBundleOption.NodeSays;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.Diagnosis;
import dev.sluice.doctor.DiagnosisFilter;
import dev.sluice.doctor.DiagnosisLimits;
import dev.sluice.doctor.facts.ClusterFacts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code sluice doctor}. */
@Command(
        name = "doctor",
        header = "Says why GPU pods do not run, and what is wrong with the nodes.",
        description = {
            "",
            "Joins pods, nodes, events, quotas, claims and device plugins: for every GPU pod the cause whose removal"
                    + " would let it run, with the evidence and the next step. It reads files, or the live cluster of"
                    + " the kubeconfig, and no clock of its own: the time of the API server counts, and in a file the newest"
                    + " time that two namespaces or nodes agree on.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        subcommands = DoctorNodeCommand.class,
        footer = {
            "",
            "Examples:",
            "  sluice doctor                                     the live cluster of the kubeconfig",
            "  sluice doctor -n team-a --url https://HOST:9090 --token-file T --ca-file CA",
            "                                                    the newest diagnosis of a running gateway",
            "  sluice doctor --collect cluster.json.gz           and write what was read for a ticket",
            "  sluice doctor --watch 30                          then what changes",
            "  kubectl get nodes,pods,events,resourcequotas,replicasets,jobs,statefulsets,daemonsets,\\",
            "    priorityclasses,deviceclasses,resourceclaims,resourceslices,leases -A -o json > cluster.json",
            "  sluice doctor --cluster-snapshot cluster.json",
            "  sluice doctor --cluster-snapshot cluster.json --pod team-a/train-7",
            "  sluice doctor --cluster-snapshot dump/ -o json    a directory of kubectl cluster-info dump",
            "  sluice doctor --report cluster.html               a report on the whole cluster, for a browser",
            "  sluice doctor node | ssh root@n1 sh > n1.txt      what a GPU node says of itself",
            "  sluice doctor --node-bundle n1.txt                and what of that contradicts the cluster",
            "",
            "Exit codes: 0 a report was written, whatever it says; 1 with --fail-on, where it says so; 2 wrong use or",
            "  unreadable input."
        })
public final class DoctorCommand implements Callable<Integer> {

    /**
     * The maximum number of parts into which a diagnosis is divided. Each part counts the resources of all nodes again,
     * so more parts would repeat more work.
     */
    private static final int MOST_PARTS = 8;

    /** The output formats. The constants are in lower case, because users type them in this form. */
    enum DoctorOutput {
        text,
        json
    }

    @Mixin
    private final DoctorSource source = new DoctorSource();

    @Option(names = "--pod", paramLabel = "NS/NAME", description = "Only this pod.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String pod = null;

    @Option(names = "--node", paramLabel = "N", description = "Only this node, and no pods.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String node = null;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Only the pods of this namespace.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String namespace = null;

    @Mixin
    private final OutputOption<DoctorOutput> output = new OutputOption<>(DoctorOutput.text);

    /** The conditions of {@code --fail-on}. The constants are in lower case, because users type them in this form. */
    enum FailOn {
        attention,
        fault
    }

    @Option(
            names = "--fail-on",
            paramLabel = "WHAT",
            description =
                    "End with the exit code 1 on a fault of a node (fault), or also where a pod needs attention, or"
                            + " something could not be judged or read (attention).")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable FailOn failOn = null;

    @Option(
            names = "--watch",
            paramLabel = "SECONDS",
            arity = "0..1",
            fallbackValue = "15",
            description = "After the report print what changes, until Ctrl-C. The cluster or the files are read again"
                    + " every so many seconds (${FALLBACK-VALUE}).")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable Integer watch = null;

    @Mixin
    private final DoctorReportOption reports = new DoctorReportOption();

    @Mixin
    private final DoctorBundleOption bundles = new DoctorBundleOption();

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Mixin
    private final RunningGatewayOption gateway = new RunningGatewayOption();

    @Mixin
    private final Terminal terminal = new Terminal();

    @Override
    public Integer call() throws ClusterStateException, UserProblem, InterruptedException {
        if (watch != null && (watch < 1 || output.format() != DoctorOutput.text)) {
            throw terminal.wrongUse("--watch wants at least 1 second, and prints text only");
        }
        if (watch != null && failOn != null) {
            throw terminal.wrongUse("--fail-on ends after one report, and --watch does not end");
        }
        Optional<GatewayApiClient> named = gateway.api();
        if (named.isPresent()) {
            return byGateway(named.get());
        }
        reports.check(terminal);
        config.require().config().gpus().use();
        try (DoctorFactsSource facts = source.open(terminal)) {
            ClusterFacts first = facts.read();
            List<NodeSays> said = bundles.findings(first);
            ClusterDiagnosis whole = diagnosis(first);
            ClusterDiagnosis report = selected(whole, first);
            reports.write(first, whole);
            print(report, said);
            if (fails(report)) {
                return ExitCode.NO;
            }
            if (watch != null) {
                new DoctorWatch(terminal, Duration.ofSeconds(watch)).run(report, () -> report(facts.read()));
            }
        }
        return ExitCode.DONE;
    }

    /** Prints the newest diagnosis of a running gateway. */
    private int byGateway(GatewayApiClient api) throws UserProblem, InterruptedException {
        if (source.isGiven() || watch != null || reports.isGiven() || bundles.areGiven()) {
            throw terminal.wrongUse("--url shows the newest diagnosis of a gateway; leave out the options that read"
                    + " the cluster or files, --watch, --report and --node-bundle");
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        put(parameters, "namespace", namespace);
        put(parameters, "pod", pod);
        put(parameters, "node", node);
        RunningGatewayDiagnosis newest = RunningGatewayDiagnosis.ask(api, parameters);
        ClusterDiagnosis report = newest.report();
        switch (output.format()) {
            case text -> {
                TerminalPage page = terminal.page();
                new DoctorText(page).print(filter().headline(report), report);
                page.line();
                page.line("The gateway has read the cluster " + newest.ageSeconds() + " s ago.");
            }
            case json -> ApiJson.print(newest.document(), terminal.out());
        }
        terminal.out().flush();
        return fails(report) ? ExitCode.NO : ExitCode.DONE;
    }

    private static void put(Map<String, String> parameters, String name, @Nullable String value) {
        if (value != null) {
            parameters.put(name, value);
        }
    }

    private boolean fails(ClusterDiagnosis report) {
        return failOn != null
                && switch (failOn) {
                    case fault -> report.hasFault();
                    case attention -> report.needsAttention();
                };
    }

    private void print(ClusterDiagnosis report, List<NodeSays> said) {
        switch (output.format()) {
            case text -> {
                DoctorText text = new DoctorText(terminal.page());
                text.print(filter().headline(report), report);
                text.printBundles(said);
            }
            case json ->
                ApiJson.print(
                        new DoctorDocument(DiagnosisDocument.of(report), bundles.areGiven() ? bundles(said) : null),
                        terminal.out());
        }
        terminal.out().flush();
    }

    private static List<BundleDocument> bundles(List<NodeSays> said) {
        return said.stream()
                .map(one -> new BundleDocument(one.node(), one.time(), one.findings()))
                .toList();
    }

    /** Diagnoses the cluster on up to eight processors in parallel, because the user waits for the result. */
    private static ClusterDiagnosis diagnosis(ClusterFacts facts) {
        int processors = Runtime.getRuntime().availableProcessors();
        DiagnosisLimits limits =
                DiagnosisLimits.of(System::nanoTime, Runtime.getRuntime().maxMemory());
        return Diagnosis.of(facts, limits, Math.min(MOST_PARTS, processors), IntStream::parallel);
    }

    private ClusterDiagnosis report(ClusterFacts facts) throws UserProblem {
        return selected(diagnosis(facts), facts);
    }

    private ClusterDiagnosis selected(ClusterDiagnosis report, ClusterFacts facts) throws UserProblem {
        if (node != null) {
            check("--node", node, facts.nodes().stream().map(it -> it.name()).toList());
        }
        if (pod != null) {
            check("--pod", pod, report.pods().stream().map(it -> it.fullName()).toList());
        }
        return filter().of(report);
    }

    private DiagnosisFilter filter() {
        return new DiagnosisFilter(Optional.ofNullable(pod), Optional.ofNullable(node), Optional.ofNullable(namespace));
    }

    private static void check(String option, String wanted, List<String> known) throws UserProblem {
        if (!known.contains(wanted)) {
            throw new UserProblem(option + " " + wanted + " is not in the cluster, or has no GPU; "
                    + (known.isEmpty() ? "there is none" : UserErrorSuggestions.sentence(wanted, known)));
        }
    }
}
