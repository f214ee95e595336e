package dev.sluice.cli;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeLedger;
import dev.sluice.config.GatewayConfig;
import dev.sluice.watch.ClusterClient;
import dev.sluice.watch.SnapshotFile;
import dev.sluice.watch.SourceProblem;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says which cluster to look at: a file of one, or the live one. */
final class ClusterOption {

    @Option(
            names = "--cluster-snapshot",
            paramLabel = "FILE",
            description = "The cluster, as kubectl get nodes,pods -A -o yaml (or json) writes it. Without it: the live"
                    + " cluster of the kubeconfig, read once.")
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    private @Nullable Path file = null;

    /** @param err told of nodes that could not be read */
    ClusterSnapshot read(GatewayConfig.Kubernetes live, PrintWriter err) throws SourceProblem, UserProblem {
        return NodeLedger.snapshotOf(file == null ? liveNodes(live) : nodes(file, err));
    }

    private static List<Node> nodes(Path file, PrintWriter err) throws SourceProblem {
        SnapshotFile.Contents contents = SnapshotFile.read(file);
        contents.warnings().forEach(warning -> err.println(file + ": " + warning));
        return contents.nodes();
    }

    private static List<Node> liveNodes(GatewayConfig.Kubernetes live) throws SourceProblem, UserProblem {
        try (KubernetesClient client = ClusterClient.open(live.kubeconfig(), live.context())) {
            return LiveNodes.list(client);
        }
    }
}
