package dev.sluice.cli.explain;

import dev.sluice.api.ApiJson;
import dev.sluice.cli.console.ClusterOption;
import dev.sluice.cli.console.ConfigOption;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.GatewayApiClient;
import dev.sluice.cli.console.GatewayInCluster;
import dev.sluice.cli.console.GatewayNamespaceOption;
import dev.sluice.cli.console.LiveClusterRequests;
import dev.sluice.cli.console.OutputOption;
import dev.sluice.cli.console.RunningGatewayOption;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.status.Registration;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.config.GatewayConfig;
import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.facts.KubectlFileLimits;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code sluice explain}. It shows what the gateway would decide about pods, and why, without creating the
 * pods.
 */
@Command(
        name = "explain",
        header = "Says what would happen to pods, and why.",
        description = {
            "",
            "Reads pods, or what makes pods (Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController,"
                    + " Job, CronJob, and custom resources that hold pod templates, such as RayCluster, PyTorchJob,"
                    + " MPIJob, JobSet, LeaderWorkerSet and Notebook), or an AdmissionReview; takes the decision that"
                    + " the gateway would take; and shows it candidate by candidate and node by node, with the very"
                    + " words that users would read. As the API server does, it first fills missing requests from"
                    + " limits. In availability mode each pod is decided by itself on the cluster as it is: none takes"
                    + " anything from the next. The last line names the policy that was used.",
            "",
            "The gateway that runs in the cluster of the kubeconfig explains by its own policy and reservations, if it"
                    + " can be asked: through the API server, or at --url. Otherwise this command explains by itself,"
                    + " and says why. It then uses the policy in the ConfigMap of that gateway, if you may read it.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  sluice explain pod.yaml",
            "      by the gateway of the cluster, or else by the live cluster of the kubeconfig",
            "  sluice explain pod.yaml -n team-a --url https://HOST:9090 --token-file T --ca-file CA",
            "      by the gateway at this address; who may create pods in team-a may ask about team-a",
            "  sluice explain deployment.yaml -n team-a --cluster-snapshot cluster.yaml",
            "      as if it were created in team-a, by a cluster that",
            "      kubectl get nodes,pods,limitranges -A -o yaml wrote",
            "  sluice explain pod.yaml --config gateway.yaml",
            "      by this policy on the live cluster, for example before it becomes that of the gateway",
            "  kubectl get job train -o yaml | sluice explain - -o json",
            "      for a program; the members are described in explain-json.md",
            "  sluice explain pod.yaml -o patch | jq .",
            "      only the RFC 6902 patch; [] where nothing changes; a line for each of several pods",
            "",
            "Exit codes: 0 all would be admitted, or the policy only observes; 1 some would be denied; 2 wrong use",
            "  or unreadable input."
        })
public final class ExplainCommand implements Callable<Integer> {

    /** The output formats. The constants are in lower case, because users type them in this form. */
    enum ExplainOutput {
        text,
        json,
        patch
    }

    private static final String WITHOUT_RIGHTS = "Whoever may create pods in a namespace can ask a gateway with --url"
            + " and --token-file, or the API server: kubectl create --dry-run=server -f FILE -o yaml";

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "The same as FILE, as kubectl has it. May be repeated.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private List<String> named = List.of();

    @Parameters(
            paramLabel = "FILE",
            description = "YAML or JSON, gzipped or not, any number of documents; - is standard input.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private List<String> positional = List.of();

    @Option(
            names = "--read-limit",
            paramLabel = "MIB",
            description = "The length of each file, after decompression (" + ManifestFile.MEBIBYTES + "; of a cluster "
                    + KubectlFileLimits.MEBIBYTES + ").")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable Integer readLimit = null;

    @Mixin
    private final ClusterOption cluster = new ClusterOption();

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Whose policy holds. Without it: the object's own, else default. A review brings its own.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String namespace = null;

    @Mixin
    private final OutputOption<ExplainOutput> output = new OutputOption<>(ExplainOutput.text);

    @Mixin
    private final Terminal terminal = new Terminal();

    @Option(names = "--local", description = "Ask no gateway. --config and --cluster-snapshot ask none either.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private boolean local = false;

    @Mixin
    private final GatewayNamespaceOption installation = new GatewayNamespaceOption();

    @Mixin
    private final RunningGatewayOption gateway = new RunningGatewayOption();

    @Override
    public Integer call() throws UserProblem, ClusterStateException, IOException, InterruptedException {
        Optional<GatewayApiClient> atUrl = gateway.api();
        if (atUrl.isPresent() && isLocal()) {
            throw terminal.wrongUse("--url asks a running gateway; leave out --local, --config and --cluster-snapshot");
        }
        List<String> names = Stream.concat(named.stream(), positional.stream()).toList();
        if (names.isEmpty()) {
            throw terminal.wrongUse("name a FILE with a pod, or - for standard input");
        }
        ManifestFile reader = new ManifestFile(
                mebibytes(ManifestFile.MEBIBYTES), Runtime.getRuntime().maxMemory());
        ExplainFiles files = ExplainFiles.read(reader, names);
        if (atUrl.isPresent()) {
            return print(
                    ExplainByGateway.ask(files, Optional.ofNullable(namespace), atUrl.get()::post, this::note),
                    GatewayConfig.Kubernetes.DEFAULT);
        }
        if (!isLocal()) {
            try (GatewayInCluster there = cluster.gateway(installation.namespace())) {
                return print(
                        ExplainByGateway.ask(files, Optional.ofNullable(namespace), there::post, this::note),
                        GatewayConfig.Kubernetes.DEFAULT);
            } catch (GatewayInCluster.NotAsked notAsked) {
                note("The running gateway was not asked: " + notAsked.getMessage());
            }
        }
        ExplainConfig used = config();
        return print(byItself(files, used), used.cluster());
    }

    private ExplainAnswers byItself(ExplainFiles files, ExplainConfig used) throws UserProblem, ClusterStateException {
        try {
            return ExplainByItself.explain(
                    files,
                    used,
                    new ExplainByItself.ExplainCluster(
                            cluster,
                            KubectlFileLimits.ofCommand(mebibytes(KubectlFileLimits.MEBIBYTES)),
                            terminal.err()),
                    Optional.ofNullable(namespace),
                    /* withFaults= */ output.format() != ExplainOutput.patch);
        } catch (UserProblem unread) {
            if (!isLocal() && unread.getCause() instanceof ApiFailure refused && refused.lacksRight()) {
                throw new UserProblem(List.of(String.valueOf(unread.getMessage()), WITHOUT_RIGHTS), unread);
            }
            throw unread;
        }
    }

    /**
     * Returns true if the user has excluded gateways, or has named a policy or a cluster that a gateway does not know.
     * The command then asks no gateway.
     */
    private boolean isLocal() {
        return local || config.isGiven() || cluster.isFile();
    }

    private int mebibytes(int usual) {
        return readLimit == null ? usual : terminal.atLeastOneMebibyte(readLimit);
    }

    private void note(String sentence) {
        terminal.err().println(sentence);
        terminal.err().flush();
    }

    /**
     * Returns the configuration that the options name. Without such options, returns the configuration of the gateway
     * in the live cluster. If the command cannot read that configuration, returns {@code conf/gateway.yaml} of this
     * installation, or the defaults if this file does not exist.
     */
    private ExplainConfig config() throws UserProblem, ClusterStateException {
        if (!config.isGiven() && !cluster.isFile()) {
            try (LiveClusterRequests api = cluster.connect(GatewayConfig.Kubernetes.DEFAULT)) {
                return ExplainConfig.installed(api, installation.namespace());
            } catch (ExplainInstalledConfig.NotRead notRead) {
                note("The policy of the gateway in the cluster was not read: " + notRead.getMessage());
            }
        }
        return ExplainConfig.of(config);
    }

    private int print(ExplainAnswers answers, GatewayConfig.Kubernetes live) throws IOException {
        switch (output.format()) {
            case text -> answers.print(terminal, registration(live, answers.namespaces()));
            case json -> ApiJson.print(answers.document(registration(live, answers.namespaces())), terminal.out());
            case patch -> {
                for (ExplainAnswers.SentPatch patch : answers.patches()) {
                    terminal.out().println(ApiJson.text(patch.operations()));
                    patch.remark().ifPresent(terminal.err()::println);
                }
            }
        }
        terminal.out().flush();
        return answers.isAnyDenied() ? ExitCode.NO : ExitCode.DONE;
    }

    /** Returns the registration of the webhooks in the live cluster. It is unknown without a live cluster. */
    private Registration registration(GatewayConfig.Kubernetes live, List<String> namespaces) {
        if (cluster.isFile()) {
            return Registration.UNKNOWN;
        }
        try (LiveClusterRequests api = cluster.connect(live)) {
            return Registration.read(api, namespaces);
        } catch (ClusterStateException noCluster) {
            return Registration.unread(String.valueOf(noCluster.getMessage()));
        }
    }
}
