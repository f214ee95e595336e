package dev.sluice.tls.selfmanaged;

import dev.sluice.kube.client.KubernetesClientFactory;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads and writes the Secret of the certificates and the caBundle of the webhook. Every method blocks, and throws
 * {@code KubernetesClientException} if the API server refuses the request.
 */
final class CertificateStore {

    public static final String SECRET = "gpu-webhook-certs";
    /**
     * The name of the webhook configuration. An environment variable overrides the default name. The API server calls
     * webhooks in the alphabetical order of their configurations' names, so a user of the chart can choose a name with
     * which Sluice is called after other webhooks.
     */
    public static final String CONFIGURATION = Optional.ofNullable(System.getenv("WEBHOOK_CONFIGURATION"))
            .filter(name -> !name.isEmpty())
            .orElse("gpu-allocation-webhook");

    public static final String WEBHOOK = "gpu-allocation.k8s.io";

    /**
     * The name of Sluice as a field manager in {@code managedFields} of the webhook configuration. It owns only the
     * caBundle.
     */
    public static final String FIELD_MANAGER = "sluice-certificates";

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

    private final KubernetesClient client;
    private final String namespace;

    /**
     * Creates a store whose Secret is in the default namespace of the client: the namespace of the kubeconfig's current
     * context, or of the pod.
     */
    public CertificateStore(KubernetesClient client) {
        this.client = KubernetesClientFactory.withoutRetries(client, REQUEST_TIMEOUT);
        this.namespace = Optional.ofNullable(client.getNamespace()).orElse("default");
    }

    public String namespace() {
        return namespace;
    }

    /** Returns the Secret. Creates it without data if it does not exist. */
    public Secret secret() {
        Secret found = client.secrets().inNamespace(namespace).withName(SECRET).get();
        return found == null ? makeEmpty() : found;
    }

    /**
     * Creates the Secret without data, by a server-side apply. RBAC can restrict an apply to one name, but not a
     * create. If two replicas apply at the same time, the result is one Secret. An apply without data keeps the data
     * that another replica has written in the meantime.
     */
    private Secret makeEmpty() {
        Secret empty = new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(SECRET)
                .endMetadata()
                .build();
        return client.resource(empty).patch(apply(), empty);
    }

    /** Replaces the data of the Secret. Fails if the Secret has changed since it was read. */
    public void replace(Secret read, Map<String, String> data) {
        var _ = client.resource(new SecretBuilder(read).withData(data).build()).update();
    }

    /** Returns the caBundle of Sluice's webhook. Returns empty if there is no such webhook. */
    public Optional<WebhookCaBundle> trust() {
        return Optional.ofNullable(client.resources(MutatingWebhookConfiguration.class)
                        .withName(CONFIGURATION)
                        .get())
                .flatMap(found -> found.getWebhooks().stream()
                        .filter(webhook -> webhook.getName().equals(WEBHOOK))
                        .findFirst()
                        .map(CertificateStore::caBundle)
                        .map(bundle -> WebhookCaBundle.read(
                                found.getMetadata().getResourceVersion(), annotations(found), bundle)));
    }

    /**
     * Returns the caBundles of all webhooks that call this Service. If the account may not list webhook configurations,
     * only Sluice's own configuration is read.
     *
     * @param service the DNS name of the Service, which ends in {@code .svc}
     */
    List<WebhookCaBundle> bundlesFor(String service) {
        List<MutatingWebhookConfiguration> all;
        try {
            all = client.resources(MutatingWebhookConfiguration.class).list().getItems();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw refused;
            }
            return trust().stream().toList();
        }
        return all.stream()
                .flatMap(found -> found.getWebhooks().stream()
                        .filter(webhook -> calls(webhook, service))
                        .map(webhook -> WebhookCaBundle.read(
                                found.getMetadata().getResourceVersion(), annotations(found), caBundle(webhook))))
                .toList();
    }

    private static boolean calls(MutatingWebhook webhook, String service) {
        return Optional.ofNullable(webhook.getClientConfig().getService())
                .filter(called -> service.equals(called.getName() + "." + called.getNamespace() + ".svc"))
                .isPresent();
    }

    private static Set<String> annotations(MutatingWebhookConfiguration found) {
        return Optional.ofNullable(found.getMetadata().getAnnotations())
                .map(Map::keySet)
                .orElse(Set.of());
    }

    private static String caBundle(MutatingWebhook webhook) {
        return Optional.ofNullable(webhook.getClientConfig().getCaBundle()).orElse("");
    }

    /**
     * Applies only the caBundle of the webhook, so that the other fields keep their owners. Fails if the webhook
     * configuration has changed since it was read.
     */
    public void publish(WebhookCaBundle read, String caBundle) {
        var _ = client.resources(MutatingWebhookConfiguration.class)
                .withName(CONFIGURATION)
                .patch(apply(), """
                    {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
                     "metadata": {"name": "%s", "resourceVersion": "%s"},
                     "webhooks": [{"name": "%s", "clientConfig": {"caBundle": "%s"}}]}
                    """.formatted(CONFIGURATION, read.resourceVersion(), WEBHOOK, caBundle));
    }

    private static PatchContext apply() {
        return new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(FIELD_MANAGER)
                .withForce(true)
                .build();
    }

    @Override
    public String toString() {
        return "Secret " + namespace + "/" + SECRET;
    }
}
