package dev.sluice.kube.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cluster.ClusterStateException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates fabric8's client for a cluster. The cluster is selected by the named kubeconfig, or else by the kubeconfig
 * that kubectl would use, or else by the service account of the pod.
 */
public final class KubernetesClientFactory {

    /**
     * Turns off HTTP/2. With HTTP/2, all requests share one connection. If that connection is dead but not closed, the
     * next watch would use it again. With HTTP/1.1, a watch closes its connection when it ends.
     */
    private static final boolean ONE_CONNECTION_PER_WATCH = true;

    private static final boolean SEARCH_FOR_KINDS = false;

    @SuppressWarnings("NullAway") // fabric8 sends no token if there is none
    private static final OAuthTokenProvider NO_TOKEN = () -> null;

    private KubernetesClientFactory() {}

    /**
     * Returns a client that shares the connections of {@code client} and never repeats a request.
     *
     * @param requestTimeout the longest time for one request
     */
    public static KubernetesClient withoutRetries(KubernetesClient client, Duration requestTimeout) {
        return client.newClient(new RequestConfigBuilder()
                        .withRequestTimeout(Math.toIntExact(requestTimeout.toMillis()))
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .adapt(KubernetesClient.class);
    }

    /**
     * Creates a client, which does not connect to the API server yet. Blocks while it reads files.
     *
     * @param kubeconfig the kubeconfig file; null for the files in {@code KUBECONFIG}, {@code ~/.kube/config} or the
     *     service account of the pod
     * @param context null for the current context of the kubeconfig
     * @param advice contains the options that error messages suggest
     */
    public static KubernetesClient open(@Nullable Path kubeconfig, @Nullable String context, KubeconfigAdvice advice)
            throws ClusterStateException {
        Kubeconfig files = Kubeconfig.read(kubeconfig, context, advice);
        files.requireCredentialProgram();
        String where = files.toString();
        Config config = config(kubeconfig, context, where);
        // Fabric8 uses this address if it finds no configuration, because it then assumes that it runs in a pod.
        if (!files.hasContext() && config.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL)) {
            throw files.withoutContext();
        }
        KubeconfigClientKey.prepare(config, where);
        if (isByCertificateAlone(config)) {
            // Without a token provider, fabric8 would search for a token before each request, and read the whole
            // kubeconfig again each time. This provider returns no token.
            config.setOauthTokenProvider(NO_TOKEN);
        }
        try {
            return new KubernetesClientBuilder()
                    .withConfig(new ConfigBuilder(config)
                            .withHttp2Disable(ONE_CONNECTION_PER_WATCH)
                            .build())
                    .withHttpClientFactory(new EndingHttpClients())
                    .withKubernetesSerialization(serializationWithoutSearch())
                    .build();
        } catch (KubernetesClientException unusable) {
            throw new ClusterStateException(
                    "the certificates or the key in " + where + " cannot be used: "
                            + ApiServerConnectionFailure.reason(unusable),
                    unusable);
        }
    }

    /**
     * Returns the bearer token that the client of {@link #open} sends. The files are read again, and a credential
     * program is run again. Returns empty if the client does not authenticate with a token but, for example, with a
     * certificate.
     */
    public static Optional<String> token(@Nullable Path kubeconfig, @Nullable String context, KubeconfigAdvice advice)
            throws ClusterStateException {
        Kubeconfig files = Kubeconfig.read(kubeconfig, context, advice);
        Config config = config(kubeconfig, context, files.toString());
        return Stream.of(config.getOauthToken(), config.getAutoOAuthToken())
                .filter(token -> token != null && !token.isBlank())
                .findFirst();
    }

    /** Returns true if the kubeconfig has a client certificate and no other credentials. */
    private static boolean isByCertificateAlone(Config config) {
        boolean hasCertificate = config.getClientCertData() != null || config.getClientCertFile() != null;
        return hasCertificate
                && config.getOauthTokenProvider() == null
                && config.getOauthToken() == null
                && config.getAutoOAuthToken() == null
                && config.getAuthProvider() == null
                && config.getUsername() == null;
    }

    /**
     * Turns off fabric8's search for the classes of Kubernetes kinds. The search would only take time, because each
     * call of the client names the class of its kind.
     */
    private static KubernetesSerialization serializationWithoutSearch() {
        return new KubernetesSerialization(new ObjectMapper(), SEARCH_FOR_KINDS);
    }

    /**
     * Reads the configuration with fabric8. This can fail although {@link Kubeconfig} has accepted the files: a key may
     * have a value of the wrong type, or the credential program may not start.
     */
    private static Config config(@Nullable Path kubeconfig, @Nullable String context, String where)
            throws ClusterStateException {
        try {
            return kubeconfig == null
                    ? Config.autoConfigure(context)
                    : Config.fromKubeconfig(context, kubeconfig.toFile());
        } catch (RuntimeException broken) {
            throw new ClusterStateException(
                    "no client can be made from " + where + " and the environment: "
                            + ApiServerConnectionFailure.reason(broken),
                    broken);
        }
    }
}
