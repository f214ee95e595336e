package dev.sluice.kube.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cluster.SourceProblem;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Creates the client: from a named kubeconfig, else as kubectl does, else from the pod's service account. */
public final class ClusterClient {

    /**
     * HTTP/2 sends all requests over one connection, so that after its silent death the next watch would use it too.
     * Over HTTP/1.1 the end of a watch closes its connection.
     */
    private static final boolean ONE_CONNECTION_PER_WATCH = true;

    private static final boolean SEARCH_FOR_KINDS = false;

    private ClusterClient() {}

    /**
     * A client, which has not connected to anything yet. Blocks while it reads files.
     *
     * @param kubeconfig null for {@code KUBECONFIG}, {@code ~/.kube/config} or the service account
     * @param context null for the kubeconfig's current one
     * @param advice for the sentences of what is thrown
     */
    public static KubernetesClient open(@Nullable Path kubeconfig, @Nullable String context, ClusterAdvice advice)
            throws SourceProblem {
        Kubeconfig files = Kubeconfig.read(kubeconfig, context, advice);
        files.requireCredentialProgram();
        String where = files.toString();
        Config config = config(kubeconfig, context, where);
        // Without any configuration fabric8 assumes that it runs in a pod.
        if (!files.hasContext() && config.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL)) {
            throw files.withoutContext();
        }
        ClientKey.prepare(config, where);
        try {
            return new KubernetesClientBuilder()
                    .withConfig(new ConfigBuilder(config)
                            .withHttp2Disable(ONE_CONNECTION_PER_WATCH)
                            .build())
                    .withHttpClientFactory(new EndingHttpClients())
                    .withKubernetesSerialization(onlyWhatIsNamed())
                    .build();
        } catch (KubernetesClientException unusable) {
            throw new SourceProblem(
                    "the certificates or the key in " + where + " cannot be used: "
                            + ConnectionFailure.reason(unusable),
                    unusable);
        }
    }

    /** Every use of the client names the class that it reads, so the hundreds of others need not be looked for. */
    private static KubernetesSerialization onlyWhatIsNamed() {
        return new KubernetesSerialization(new ObjectMapper(), SEARCH_FOR_KINDS);
    }

    /** Beyond what {@link Kubeconfig} refuses, a key may have a value of another kind, or a program may not start. */
    private static Config config(@Nullable Path kubeconfig, @Nullable String context, String where)
            throws SourceProblem {
        try {
            return kubeconfig == null
                    ? Config.autoConfigure(context)
                    : Config.fromKubeconfig(context, kubeconfig.toFile());
        } catch (RuntimeException broken) {
            throw new SourceProblem(
                    "no client can be made from " + where + " and the environment: " + ConnectionFailure.reason(broken),
                    broken);
        }
    }
}
