package dev.sluice.cli.console;

import dev.sluice.cluster.SourceProblem;
import dev.sluice.config.GatewayConfig;
import dev.sluice.kube.client.ClusterAdvice;
import dev.sluice.kube.client.ClusterClient;
import dev.sluice.tls.selfmanaged.StoredTrust;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name the live cluster, as kubectl has them. */
public final class ConnectionOption {

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Of the live cluster. Without it: KUBECONFIG, ~/.kube/config or the account of the pod.")
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    private @Nullable Path kubeconfig = null;

    @Option(names = "--context", paramLabel = "NAME", description = "Of the kubeconfig. Without it: the current one.")
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    private @Nullable String context = null;

    /** True if the user has named a cluster. */
    public boolean isGiven() {
        return kubeconfig != null || context != null;
    }

    /** The cluster that the options name, or else that of the kubeconfig in use; not connected to yet. */
    public KubernetesClient open(ClusterAdvice advice) throws SourceProblem {
        return open(advice, GatewayConfig.Kubernetes.DEFAULT);
    }

    /**
     * The cluster that the options name, or else the configured one. A context belongs to its kubeconfig, so the
     * configured context is ignored if the options name a kubeconfig.
     */
    public KubernetesClient open(ClusterAdvice advice, GatewayConfig.Kubernetes configured) throws SourceProblem {
        if (kubeconfig != null) {
            return ClusterClient.open(kubeconfig, context, advice);
        }
        return ClusterClient.open(configured.kubeconfig(), context != null ? context : configured.context(), advice);
    }

    /** A Secret with certificates of that cluster, and the caBundle beside it. */
    public StoredTrust trust(String namespace, String name) throws SourceProblem {
        try (KubernetesClient client = open(ClusterAdvice.LIVE_OPTIONS)) {
            return StoredTrust.read(client, namespace, name);
        }
    }
}
