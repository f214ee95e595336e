package dev.sluice.cli.console;

import dev.sluice.api.CapacityReport.LeftOut;
import dev.sluice.api.ClusterContents;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.MalformedClusterObjects;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.config.GatewayConfig;
import dev.sluice.doctor.ResourceFaults;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.kube.client.KubeconfigAdvice;
import dev.sluice.kube.facts.FactsCollector;
import dev.sluice.kube.facts.FactsFiles;
import dev.sluice.kube.facts.KubectlFileLimits;
import dev.sluice.kube.facts.KubectlObjectBudget;
import dev.sluice.kube.facts.LiveFactLists;
import dev.sluice.kube.watch.SnapshotFile;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that select the cluster: a snapshot file or a live cluster. */
@Command
public final class ClusterOption {

    @Option(
            names = "--cluster-snapshot",
            paramLabel = "FILE",
            description =
                    "The cluster, as kubectl get nodes,pods,limitranges -A -o yaml (or json) writes it, gzipped or not."
                            + " Without it: the live cluster of the kubeconfig, read once.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field.
    private @Nullable Path file = null;

    @Mixin
    private final ConnectionOption connection = new ConnectionOption();

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // Picocli sets this field.
    private CommandSpec command;

    /**
     * The nodes and pods of a cluster.
     *
     * @param podsKnown false if the user may not list the pods, so that the contents have none
     */
    public record SeenContents(ClusterContents contents, boolean podsKnown) {}

    /** Returns true if the user has named a file instead of the live cluster. */
    public boolean isFile() {
        return file != null;
    }

    /** Returns the file that the user has named instead of the live cluster. */
    public Optional<Path> file() {
        return Optional.ofNullable(file);
    }

    /** Returns the gateway that runs in this namespace of the live cluster. No request is sent to it yet. */
    public GatewayInCluster gateway(String namespace) throws ClusterStateException {
        return new GatewayInCluster(client(GatewayConfig.Kubernetes.DEFAULT), namespace);
    }

    /** Creates a connection for single requests to the API server of the live cluster. */
    public LiveClusterRequests connect(GatewayConfig.Kubernetes live) throws ClusterStateException {
        return new LiveClusterRequests(client(live));
    }

    /** Returns the nodes and pods. Malformed objects and unread LimitRanges are reported on {@code err}. */
    public ClusterContents contents(GatewayConfig.Kubernetes live, KubectlFileLimits limits, PrintWriter err)
            throws ClusterStateException, UserProblem {
        if (file != null) {
            refuseBoth();
            return ofFile(file, limits, err);
        }
        try (KubernetesClient client = client(live)) {
            LiveClusterConnection cluster = new LiveClusterConnection(client, KubectlObjectBudget.ofCommand());
            LiveClusterConnection.ListedObjects<Node> nodes = cluster.nodes();
            return live(cluster, nodes, cluster.pods(), err);
        }
    }

    /** Returns the nodes, and the pods if the user may list them. */
    public SeenContents seen(GatewayConfig.Kubernetes live, KubectlFileLimits limits, PrintWriter err)
            throws ClusterStateException, UserProblem {
        if (file != null) {
            refuseBoth();
            return new SeenContents(ofFile(file, limits, err), /* podsKnown= */ true);
        }
        try (KubernetesClient client = client(live)) {
            LiveClusterConnection cluster = new LiveClusterConnection(client, KubectlObjectBudget.ofCommand());
            LiveClusterConnection.ListedObjects<Node> nodes = cluster.nodes();
            Optional<LiveClusterConnection.ListedObjects<Pod>> pods = cluster.podsIfAllowed();
            return new SeenContents(
                    live(
                            cluster,
                            nodes,
                            pods.orElse(
                                    new LiveClusterConnection.ListedObjects<>(List.of(), MalformedClusterObjects.NONE)),
                            err),
                    pods.isPresent());
        }
    }

    /** Returns the nodes and pods of a file. Malformed objects are reported on {@code err}. */
    public static ClusterContents ofFile(Path file, KubectlFileLimits limits, PrintWriter err)
            throws ClusterStateException {
        SnapshotFile.SnapshotContents contents = SnapshotFile.read(file, limits);
        contents.warnings().forEach(warning -> err.println(file + ": " + warning));
        return new ClusterContents(
                contents.nodes(),
                contents.pods(),
                new LeftOut(contents.malformedNodes(), contents.malformedPods()),
                contents.dra(),
                contents.limitRanges(),
                contents.plugin());
    }

    private static ClusterContents live(
            LiveClusterConnection cluster,
            LiveClusterConnection.ListedObjects<Node> nodes,
            LiveClusterConnection.ListedObjects<Pod> pods,
            PrintWriter err) {
        return new ClusterContents(
                nodes.objects(),
                pods.objects(),
                new LeftOut(nodes.malformed(), pods.malformed()),
                cluster.dra(),
                cluster.limitRanges(err),
                Optional.empty());
    }

    /**
     * Returns the cluster for decisions by Allocatable. Such decisions do not depend on pods, so the pods of a live
     * cluster are not listed. From the file of a cluster, the pods of device plugins are read, because they indicate
     * GPUs.
     */
    public ClusterContents nodes(GatewayConfig.Kubernetes live, KubectlFileLimits limits, PrintWriter err)
            throws ClusterStateException, UserProblem {
        if (file != null) {
            ClusterContents all = contents(live, limits, err);
            List<Pod> plugins = all.pods().stream().filter(Pod::isDevicePlugin).toList();
            return new ClusterContents(
                    all.nodes(), plugins, LeftOut.NOTHING, all.dra(), all.limitRanges(), all.plugin());
        }
        try (KubernetesClient client = client(live)) {
            LiveClusterConnection cluster = new LiveClusterConnection(client, KubectlObjectBudget.ofCommand());
            return new ClusterContents(
                    cluster.nodes().objects(),
                    List.of(),
                    LeftOut.NOTHING,
                    cluster.dra(),
                    cluster.limitRanges(err),
                    Optional.empty());
        }
    }

    /**
     * Returns the reasons why nodes offer less of a resource than they should.
     *
     * @param nodes the nodes of the cluster, which the caller has already read
     */
    public ResourceFaults faults(GatewayConfig.Kubernetes live, List<Node> nodes) {
        return file == null ? liveFaults(live, nodes) : faults(file);
    }

    /**
     * Reads the snapshot file a second time, with the reader of the command {@code doctor}. If that reader refuses the
     * file, for example because the file contains no List, the result is empty.
     */
    private static ResourceFaults faults(Path file) {
        try {
            // Only a regular file is read, because a pipe cannot be read a second time.
            return Files.isRegularFile(file) ? ResourceFaults.of(FactsFiles.read(List.of(file))) : ResourceFaults.NONE;
        } catch (ClusterStateException unread) {
            return ResourceFaults.NONE;
        }
    }

    /**
     * Searches the nodes for faults. Pods and other objects are listed only to explain a fault, or if no node has a
     * GPU.
     */
    private ResourceFaults liveFaults(GatewayConfig.Kubernetes live, List<Node> nodes) {
        List<NodeFacts> facts = nodes.stream().map(NodeFacts::of).toList();
        ResourceFaults seen = ResourceFaults.of(new FactsCollector().facts().with(facts));
        // If no node has any GPU, a device plugin may have a DaemonSet that selects no node.
        boolean anyGpu =
                nodes.stream().anyMatch(node -> !GpuVendor.gpus(node.capacity()).isZero());
        if (seen.isEmpty() && anyGpu) {
            return seen;
        }
        try (LiveFactLists cluster = LiveFactLists.of(client(live))) {
            return ResourceFaults.of(cluster.facts(ResourceFaults.BESIDE_NODES).with(facts));
        } catch (ClusterStateException unread) {
            return seen;
        }
    }

    private KubernetesClient client(GatewayConfig.Kubernetes live) throws ClusterStateException {
        boolean isConfigured = command.optionsMap().containsKey("--config");
        return connection.open(
                isConfigured ? KubeconfigAdvice.OPTIONS_AND_CONFIGURATION : KubeconfigAdvice.OPTIONS, live);
    }

    private void refuseBoth() {
        if (connection.isGiven()) {
            throw new ParameterException(
                    command.commandLine(),
                    "--kubeconfig and --context are for the live cluster; leave out --cluster-snapshot");
        }
    }
}
