package dev.sluice.cli.console;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.config.GatewayConfig;
import dev.sluice.kube.client.KubeconfigAdvice;
import dev.sluice.kube.client.KubernetesClientFactory;
import dev.sluice.tls.selfmanaged.StoredTrust;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select a live cluster. They have the same names as in kubectl. */
public final class ConnectionOption {

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Of the live cluster. Without it: KUBECONFIG, ~/.kube/config or the account of the pod.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field.
    private @Nullable Path kubeconfig = null;

    @Option(names = "--context", paramLabel = "NAME", description = "Of the kubeconfig. Without it: the current one.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field.
    private @Nullable String context = null;

    /** Returns true if the user has used one of the options. */
    public boolean isGiven() {
        return kubeconfig != null || context != null;
    }

    /**
     * Creates a client for the cluster that the options select. Without options, it is for the current context of the
     * kubeconfig. The client does not connect yet.
     */
    public KubernetesClient open(KubeconfigAdvice advice) throws ClusterStateException {
        return open(advice, GatewayConfig.Kubernetes.DEFAULT);
    }

    /**
     * Creates a client for the cluster that the options select. Without options, it is for the configured cluster. A
     * context is a part of a kubeconfig, so the configured context is ignored if the options name another kubeconfig.
     */
    public KubernetesClient open(KubeconfigAdvice advice, GatewayConfig.Kubernetes configured)
            throws ClusterStateException {
        if (kubeconfig != null) {
            return KubernetesClientFactory.open(kubeconfig, context, advice);
        }
        return KubernetesClientFactory.open(
                configured.kubeconfig(), context != null ? context : configured.context(), advice);
    }

    /**
     * Reads the bearer token of the user again, or gets a new one from the credential program. Returns empty if the
     * user has no token, for example because the user has a client certificate.
     *
     * @param used the context with which the client was opened; empty if the client has no kubeconfig. The user may
     *     have selected another context since then, and the token of another cluster must not be sent to this cluster
     */
    public Optional<String> token(Optional<String> used) throws ClusterStateException {
        return KubernetesClientFactory.token(
                kubeconfig, context != null ? context : used.orElse(null), KubeconfigAdvice.LIVE_OPTIONS);
    }

    /** Creates a connection for single requests to the API server of the selected cluster. */
    public LiveClusterRequests connect() throws ClusterStateException {
        return new LiveClusterRequests(open(KubeconfigAdvice.LIVE_OPTIONS));
    }

    /** Reads a Secret with certificates and the caBundle of the webhook from the selected cluster. */
    public StoredTrust trust(String namespace, String name) throws ClusterStateException {
        try (KubernetesClient client = open(KubeconfigAdvice.LIVE_OPTIONS)) {
            return StoredTrust.read(client, namespace, name);
        }
    }
}
