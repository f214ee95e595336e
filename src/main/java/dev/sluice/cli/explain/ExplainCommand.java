package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.api.ApiJson;
import dev.sluice.api.ClusterContents;
import dev.sluice.cli.console.ApiConnection;
import dev.sluice.cli.console.ClusterOption;
import dev.sluice.cli.console.ConfigOption;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.GatewayApiClient;
import dev.sluice.cli.console.GatewayInCluster;
import dev.sluice.cli.console.GatewayNamespaceOption;
import dev.sluice.cli.console.OutputOption;
import dev.sluice.cli.console.RunningGatewayOption;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.registration.Registration;
import dev.sluice.cluster.SourceProblem;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.GatewayConfig;
import dev.sluice.doctor.ResourceFaults;
import dev.sluice.kube.facts.FileLimits;
import dev.sluice.text.CountText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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

    /** A file of the user. */
    private static final class ReadFile {

        /** The name of the file in messages. */
        private final String source;

        private final byte[] content;

        ReadFile(String source, byte[] content) {
            this.source = source;
            this.content = content;
        }
    }

    /**
     * The configuration with which this process explains.
     *
     * @param name the file or the ConfigMaps, or {@code defaults}
     * @param isInstalled true if it is that of the gateway in the cluster
     */
    private record UsedConfig(Loading.Loaded loaded, String name, boolean isInstalled) {}

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
                    + FileLimits.MEBIBYTES + ").")
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
    public Integer call() throws UserProblem, SourceProblem, IOException, InterruptedException {
        Optional<GatewayApiClient> atUrl = gateway.api();
        if (atUrl.isPresent() && isLocal()) {
            throw terminal.wrongUse("--url asks a running gateway; leave out --local, --config and --cluster-snapshot");
        }
        List<ReadFile> files = files();
        if (atUrl.isPresent()) {
            try {
                return byGateway(files, ExplainByGateway.at(atUrl.get(), Optional.ofNullable(namespace)));
            } catch (GatewayInCluster.NotAsked impossible) {
                throw new IllegalStateException("a gateway with a URL is asked directly", impossible);
            }
        }
        if (!isLocal()) {
            try (GatewayInCluster there = cluster.gateway(installation.namespace())) {
                return byGateway(files, ExplainByGateway.in(there, Optional.ofNullable(namespace)));
            } catch (GatewayInCluster.NotAsked notAsked) {
                terminal.err().println("The running gateway was not asked: " + notAsked.getMessage());
                terminal.err().flush();
            }
        }
        return byThisProcess(files);
    }

    /** Returns true if the options describe the policy or the cluster, so that no gateway knows the answer. */
    private boolean isLocal() {
        return local || config.isGiven() || cluster.isFile();
    }

    private int byGateway(List<ReadFile> files, ExplainByGateway asked)
            throws UserProblem, InterruptedException, GatewayInCluster.NotAsked {
        for (ReadFile file : files) {
            asked.ask(file.source, file.content);
        }
        Registration registered = registration(GatewayConfig.Kubernetes.DEFAULT, asked.namespaces());
        switch (output.format()) {
            case text -> {
                terminal.out().print(asked.text());
                TerminalPage page = terminal.page();
                asked.notAsked(registered).forEach(sentence -> page.words("", sentence));
                new ExplainText(page, registered).notes();
            }
            case json -> ApiJson.print(asked.document(registered), terminal.out());
            case patch -> {
                for (JsonNode pod : asked.pods()) {
                    terminal.out().println(ApiJson.text(ExplainByGateway.sentPatch(pod)));
                    if (ExplainByGateway.isDenied(pod)) {
                        terminal.err()
                                .println(pod.path("kind").asText() + " "
                                        + pod.path("name").asText() + " is denied: "
                                        + pod.path("message").asText());
                    }
                }
            }
        }
        terminal.out().flush();
        return asked.pods().stream().anyMatch(ExplainByGateway::isDenied) ? ExitCode.NO : ExitCode.DONE;
    }

    private int byThisProcess(List<ReadFile> files) throws UserProblem, SourceProblem, IOException {
        UsedConfig used = usedConfig();
        Loading.Loaded loaded = used.loaded();
        // The GPU names in the configuration also decide which requests of a manifest are for GPUs.
        loaded.config().gpus().use();
        List<Manifest> manifests = manifests(files);
        ActivePolicy policy = ActivePolicy.first(loaded.config().policy(), loaded.injector());
        // The kubeconfig of the gateway in the cluster is not used, because the gateway reaches the API server in
        // another way than the user.
        GatewayConfig.Kubernetes live = used.isInstalled()
                ? GatewayConfig.Kubernetes.DEFAULT
                : loaded.config().kubernetes();
        FileLimits limits = FileLimits.ofCommand(mebibytes(FileLimits.MEBIBYTES));
        ClusterContents contents = policy.policies().reserve()
                ? cluster.contents(live, limits, terminal.err())
                : cluster.nodes(live, limits, terminal.err());
        ActivePolicy limited = policy.limitedBy(contents.limitRanges());
        ExplainOccupancy occupancy = new ExplainOccupancy(contents);
        ManifestExplanations explanations =
                new ManifestExplanations(limited, Optional.ofNullable(namespace), occupancy.cluster(), occupancy);
        List<Explained> explained = new ArrayList<>();
        for (Manifest manifest : manifests) {
            explained.add(explanations.explain(manifest));
        }
        if (output.format() != ExplainOutput.patch) {
            tellFaults(explained, () -> cluster.faults(live, contents.nodes()));
        }
        print(
                explained,
                registration(live, explained.stream().map(Explained::namespace).toList()),
                used.name());
        terminal.out().flush();
        return explained.stream().anyMatch(Explained::isDenied) ? ExitCode.NO : ExitCode.DONE;
    }

    /**
     * Returns the configuration that the options name. Without one, returns that of the gateway in the live cluster if
     * the user may read it, or else that of this installation or the defaults.
     */
    private UsedConfig usedConfig() throws UserProblem, SourceProblem {
        if (!config.isGiven() && !cluster.isFile()) {
            try (ApiConnection api = cluster.connect(GatewayConfig.Kubernetes.DEFAULT)) {
                ExplainInstalledConfig installed = ExplainInstalledConfig.read(api, installation.namespace());
                return new UsedConfig(installed.loaded(), installed.name(), /* isInstalled= */ true);
            } catch (ExplainInstalledConfig.NotRead notRead) {
                terminal.err()
                        .println("The policy of the gateway in the cluster was not read: " + notRead.getMessage());
                terminal.err().flush();
            }
        }
        return new UsedConfig(
                config.require(),
                config.file().map(Path::toString).orElse(ExplainText.DEFAULTS),
                /* isInstalled= */ false);
    }

    /**
     * Returns the registration of the webhooks in the live cluster. It is unknown without a live cluster. It is not
     * read if only the patch is printed.
     */
    private Registration registration(GatewayConfig.Kubernetes live, List<String> namespaces) {
        if (output.format() == ExplainOutput.patch || cluster.isFile()) {
            return Registration.UNKNOWN;
        }
        try (ApiConnection api = cluster.connect(live)) {
            return Registration.read(api, namespaces);
        } catch (SourceProblem noCluster) {
            return Registration.unread(String.valueOf(noCluster.getMessage()));
        }
    }

    /**
     * Adds the known faults of resources to the explanations. The faults are only searched for if a pod does not get
     * the resources that it requests.
     */
    private static void tellFaults(List<Explained> all, Supplier<ResourceFaults> known) throws UserProblem {
        if (all.stream().anyMatch(ExplainCommand::lacksAnything)) {
            ResourceFaults faults = known.get();
            for (int i = 0; i < all.size(); i++) {
                if (all.get(i) instanceof Explained.Decided decided) {
                    Optional<PodRequest> pod = ManifestExplanations.pod(decided.manifest());
                    all.set(i, pod.isPresent() ? decided.with(faults, pod.get()) : decided);
                }
            }
        }
    }

    private static boolean lacksAnything(Explained explained) {
        return explained instanceof Explained.Decided decided && decided.lacksAnything();
    }

    private int mebibytes(int usual) {
        return readLimit == null ? usual : terminal.atLeastOneMebibyte(readLimit);
    }

    /**
     * Returns the manifests that create pods, and prints a note about the other manifests. Throws UserProblem if no
     * manifest creates pods.
     */
    private List<Manifest> manifests(List<ReadFile> files) throws UserProblem {
        List<Manifest> manifests = new ArrayList<>();
        for (ReadFile file : files) {
            List<Manifest.Other> skipped = new ArrayList<>();
            for (Manifest manifest : ManifestReader.read(file.source, file.content)) {
                if (manifest instanceof Manifest.Other other) {
                    skipped.add(other);
                } else {
                    manifests.add(manifest);
                }
            }
            noteSkipped(skipped);
        }
        if (manifests.isEmpty()) {
            throw new UserProblem(
                    String.join(", ", files.stream().map(file -> file.source).toList())
                            + ": there is no pod to explain; give a Pod, something with a pod template, or an AdmissionReview. If"
                            + " its controller writes the pods itself, give one of them: kubectl get pod NAME -o yaml");
        }
        return manifests;
    }

    /**
     * Reads all files. They are read before a gateway is asked, because standard input cannot be read again if none
     * answers.
     */
    private List<ReadFile> files() throws UserProblem {
        ManifestFile reader = new ManifestFile(
                mebibytes(ManifestFile.MEBIBYTES), Runtime.getRuntime().maxMemory());
        List<ReadFile> files = new ArrayList<>();
        for (String file : Stream.concat(named.stream(), positional.stream()).toList()) {
            files.add(new ReadFile(ManifestFile.source(file), reader.read(file)));
        }
        if (files.isEmpty()) {
            throw terminal.wrongUse("name a FILE with a pod, or - for standard input");
        }
        return files;
    }

    /** Prints one note about the objects of a file without a pod template; a file can contain any number of them. */
    private void noteSkipped(List<Manifest.Other> skipped) {
        if (skipped.isEmpty()) {
            return;
        }
        Manifest.Other first = skipped.getFirst();
        int more = skipped.size() - 1;
        terminal.err()
                .println(first.source() + ": explain finds no pod template in " + first.title()
                        + (more == 0
                                ? ", and leaves it out"
                                : " and " + CountText.of(more, "other object") + ", and leaves them out"));
    }

    private void print(List<Explained> all, Registration registered, String policy) throws IOException {
        switch (output.format()) {
            case text -> {
                ExplainText text = new ExplainText(terminal.page(), registered);
                for (int i = 0; i < all.size(); i++) {
                    terminal.out().print(i == 0 ? "" : System.lineSeparator());
                    text.print(all.get(i));
                }
                text.end(all, policy);
            }
            case json -> ApiJson.print(ExplainJson.document(all, registered, policy), terminal.out());
            case patch -> {
                for (Explained explained : all) {
                    terminal.out().println(ApiJson.text(ExplainJson.sentPatch(explained)));
                    reportDenial(explained);
                    reportObserved(explained);
                }
            }
        }
    }

    /**
     * Prints the message of a denial. Without it, the output would be an empty patch, which looks like an unchanged
     * pod.
     */
    private void reportDenial(Explained explained) {
        if (explained.isDenied()
                && explained instanceof Explained.Decided decided
                && decided.verdict() instanceof Verdict.Denied denied) {
            terminal.err()
                    .println(explained.manifest().title() + " is denied: "
                            + Wording.of(denied).message());
        }
    }

    /** Prints on standard error that the gateway sends no patch, because the policy only observes. */
    private void reportObserved(Explained explained) {
        if (explained instanceof Explained.Decided decided && decided.policy().observes()) {
            terminal.err().println(explained.manifest().title() + ": " + ExplainText.OBSERVED);
        }
    }
}
