package dev.sluice.cli.explain;

import dev.sluice.admission.Decider;
import dev.sluice.admission.DecisionExplanation;
import dev.sluice.admission.UnreadablePodDecision;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.VerdictTrace;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.api.ApiJson;
import dev.sluice.api.ClusterContents;
import dev.sluice.cli.console.ClusterOption;
import dev.sluice.cli.console.ConfigOption;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.OutputOption;
import dev.sluice.cli.console.RegisteredNamespaces;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cluster.SourceProblem;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.GatewayConfig;
import dev.sluice.doctor.ResourceFaults;
import dev.sluice.kube.facts.FileLimits;
import dev.sluice.text.CountText;
import dev.sluice.webhook.review.AdmissionReview;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  sluice explain pod.yaml",
            "      by the live cluster of the kubeconfig",
            "  sluice explain deployment.yaml -n team-a --cluster-snapshot cluster.yaml",
            "      as if it were created in team-a, by a cluster that",
            "      kubectl get nodes,pods,limitranges -A -o yaml wrote",
            "  kubectl get configmap NAME -n gpu-webhook -o 'jsonpath={.data.gateway\\.yaml}' > gateway.yaml",
            "  sluice explain pod.yaml --config gateway.yaml",
            "      by the policy of the gateway in the cluster; its Deployment names the ConfigMap",
            "  kubectl get job train -o yaml | sluice explain - -o json",
            "      for a program; the members are described in explain-json.md",
            "  sluice explain pod.yaml -o patch | jq .",
            "      only the RFC 6902 patch; [] where nothing changes; a line for each of several pods",
            "",
            "Exit codes: 0 all would be admitted; 1 some would be denied; 2 wrong use or unreadable input."
        })
public final class ExplainCommand implements Callable<Integer> {

    /** The output formats. The constants are in lower case, because users type them in this form. */
    enum ExplainOutput {
        text,
        json,
        patch
    }

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

    @Override
    public Integer call() throws UserProblem, SourceProblem, IOException {
        // The GPU names in the configuration also decide which requests of a manifest are for GPUs.
        Loading.Loaded gateway = config.require();
        gateway.config().gpus().use();
        List<Manifest> manifests = manifests();
        ActivePolicy policy = ActivePolicy.first(gateway.config().policy(), gateway.injector());
        FileLimits limits = FileLimits.ofCommand(mebibytes(FileLimits.MEBIBYTES));
        ClusterContents contents = policy.policies().reserve()
                ? cluster.contents(gateway.config().kubernetes(), limits, terminal.err())
                : cluster.nodes(gateway.config().kubernetes(), limits, terminal.err());
        ActivePolicy limited = policy.limitedBy(contents.limitRanges());
        ExplainOccupancy occupancy = new ExplainOccupancy(contents);
        List<Explained> explained = new ArrayList<>();
        for (Manifest manifest : manifests) {
            explained.add(explain(manifest, limited, occupancy));
        }
        if (output.format() != ExplainOutput.patch) {
            tellFaults(explained, () -> cluster.faults(gateway.config().kubernetes(), contents.nodes()));
        }
        print(explained, registered(gateway.config().kubernetes(), explained));
        terminal.out().flush();
        return explained.stream().anyMatch(Explained::isDenied) ? ExitCode.NO : ExitCode.DONE;
    }

    private RegisteredNamespaces registered(GatewayConfig.Kubernetes live, List<Explained> all) {
        return output.format() == ExplainOutput.patch
                ? RegisteredNamespaces.UNKNOWN
                : cluster.registered(
                        live, all.stream().map(Explained::namespace).collect(Collectors.toSet()));
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
                    Optional<PodRequest> pod = pod(decided.manifest());
                    all.set(i, pod.isPresent() ? decided.with(faults, pod.get()) : decided);
                }
            }
        }
    }

    private static Optional<PodRequest> pod(Manifest manifest) throws UserProblem {
        return switch (manifest) {
            case Manifest.ManifestPods pods -> Optional.of(ManifestReader.decode(pods));
            case Manifest.Review review
            when review.review().object() instanceof AdmissionReview.PodObject.ReadPod read ->
                Optional.of(read.request());
            case Manifest.Review _, Manifest.Other _ -> Optional.empty();
        };
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
    private List<Manifest> manifests() throws UserProblem {
        ManifestFile reader = new ManifestFile(
                mebibytes(ManifestFile.MEBIBYTES), Runtime.getRuntime().maxMemory());
        List<String> files = Stream.concat(named.stream(), positional.stream()).toList();
        if (files.isEmpty()) {
            throw terminal.wrongUse("name a FILE with a pod, or - for standard input");
        }
        List<Manifest> manifests = new ArrayList<>();
        for (String file : files) {
            List<Manifest.Other> skipped = new ArrayList<>();
            for (Manifest manifest : ManifestReader.read(ManifestFile.source(file), reader.read(file))) {
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
                    String.join(", ", files.stream().map(ManifestFile::source).toList())
                            + ": there is no pod to explain; give a Pod, something that makes pods, or an AdmissionReview");
        }
        return manifests;
    }

    /** Prints one note about the objects of a file that make no pods; a file can contain any number of them. */
    private void noteSkipped(List<Manifest.Other> skipped) {
        if (skipped.isEmpty()) {
            return;
        }
        Manifest.Other first = skipped.getFirst();
        int more = skipped.size() - 1;
        terminal.err()
                .println(first.source() + ": " + first.title()
                        + (more == 0 ? " makes" : " and " + CountText.of(more, "other object") + " make")
                        + " no pods that explain knows; skipped");
    }

    private Explained explain(Manifest manifest, ActivePolicy policy, ExplainOccupancy occupancy) throws UserProblem {
        return switch (manifest) {
            case Manifest.ManifestPods pods -> {
                String where = namespace != null ? namespace : pods.namespace() != null ? pods.namespace() : "default";
                yield new Explained.Decided(
                        pods,
                        where,
                        policy.policies().forNamespace(where),
                        explanation(ManifestReader.decode(pods), where, policy, occupancy));
            }
            case Manifest.Review review -> explain(review, policy, occupancy);
            case Manifest.Other other -> new Explained.Passed(other, "", other.title());
        };
    }

    private static Explained explain(Manifest.Review manifest, ActivePolicy policy, ExplainOccupancy occupancy) {
        AdmissionReview review = manifest.review();
        if (!review.isPodCreation()) {
            return new Explained.Passed(manifest, review.namespace(), what(review));
        }
        NamespacePolicy here = policy.forNamespace(review.namespace());
        DecisionExplanation explanation = switch (review.object()) {
            case AdmissionReview.PodObject.ReadPod pod ->
                explanation(pod.request(), review.namespace(), policy, occupancy);
            case AdmissionReview.PodObject.Absent _ ->
                DecisionExplanation.of(UnreadablePodDecision.absent(here.policy()));
            case AdmissionReview.PodObject.UnreadableObject unreadable ->
                DecisionExplanation.of(UnreadablePodDecision.malformed(unreadable.problem(), here.policy()));
        };
        return new Explained.Decided(manifest, review.namespace(), here.policy(), explanation);
    }

    /**
     * Returns the explanation of the gateway's decision about a pod. The free amounts of nodes are computed only if a
     * namespace of the policy is in availability mode.
     */
    private static DecisionExplanation explanation(
            PodRequest pod, String namespace, ActivePolicy policy, ExplainOccupancy occupancy) {
        NamespacePolicy here = policy.forNamespace(namespace);
        VerdictTrace trace = policy.policies().reserve()
                ? Decider.trace(pod, here, occupancy.cluster(), occupancy.free())
                : Decider.trace(pod, here, occupancy.cluster());
        return DecisionExplanation.of(trace, pod, here, occupancy.cluster(), occupancy);
    }

    private static String what(AdmissionReview review) {
        String kind = review.kind().startsWith("/") ? review.kind().substring(1) : review.kind();
        return review.operation() + " of " + kind
                + (review.subResource().isEmpty() ? "" : ", sub-resource " + review.subResource());
    }

    private void print(List<Explained> all, RegisteredNamespaces registered) throws IOException {
        switch (output.format()) {
            case text -> {
                ExplainText text = new ExplainText(terminal.page(), registered);
                for (int i = 0; i < all.size(); i++) {
                    terminal.out().print(i == 0 ? "" : System.lineSeparator());
                    text.print(all.get(i));
                }
                text.end(all, policyUsed());
            }
            case json -> ApiJson.print(ExplainJson.document(all, registered, policyUsed()), terminal.out());
            case patch -> {
                for (Explained explained : all) {
                    terminal.out().println(ApiJson.text(ExplainJson.sentPatch(explained)));
                    reportDenial(explained);
                    reportObserved(explained);
                }
            }
        }
    }

    /** Returns the name of the file that contains the policy, or {@code defaults}. */
    private String policyUsed() {
        return config.file().map(Path::toString).orElse("defaults");
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

    /** Says that no patch is sent because the policy only observes. */
    private void reportObserved(Explained explained) {
        if (explained instanceof Explained.Decided decided && decided.policy().observes()) {
            terminal.err().println(explained.manifest().title() + ": " + ExplainText.OBSERVED);
        }
    }
}
