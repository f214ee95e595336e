package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.tls.selfmanaged.CertificateSecret;
import dev.sluice.tls.selfmanaged.WebhookCaBundle;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Two replicas with {@code k8s/overlays/self-managed} behind a Service, which are asked instead of the stage's gateway.
 * Begins without a Secret and without a caBundle, and ends as it began.
 */
final class SelfManagedMode {

    static final String SECRET = "gpu-webhook-certs";

    private final Cluster cluster;
    private final KubernetesClient client;
    private final Account account;
    private final List<HasMetadata> rights;
    private final List<Gateway> replicas = new ArrayList<>();
    private final ServiceDoor door;

    SelfManagedMode(Cluster cluster, String selfManaged) throws IOException {
        this.cluster = cluster;
        this.client = cluster.client();
        forgetSecret();
        rights = grant();
        account = Account.inItsNamespace(cluster.plane());
        for (String name : List.of("first", "second")) {
            replicas.add(new Gateway(
                    cluster.plane(),
                    "self-managed-" + name + "-" + cluster.namespace(),
                    account,
                    Gateway.SHIPPED_POLICY,
                    "{mode: self-managed, selfManaged: " + selfManaged + "}"));
        }
        door = new ServiceDoor(replicas);
        register(new WebhookClientConfigBuilder().withUrl(door.url()).build());
    }

    SelfManagedMode ready() {
        replicas.forEach(replica -> {
            var _ = replica.ready();
        });
        Eventually.holds("both are behind the Service", () -> door.ready() == replicas.size());
        int nodes = client.nodes().list().getItems().size();
        replicas.forEach(replica -> replica.awaitNodes(nodes));
        return this;
    }

    List<Gateway> replicas() {
        return replicas;
    }

    ServiceDoor door() {
        return door;
    }

    private List<HasMetadata> grant() {
        String rendered = cluster.plane()
                .kubectl("kustomize", "k8s/overlays/self-managed")
                .output();
        List<HasMetadata> granted = client.load(new ByteArrayInputStream(rendered.getBytes(UTF_8))).items().stream()
                .filter(object -> object.getMetadata().getName().equals("gpu-webhook-certificates"))
                .toList();
        granted.forEach(object -> {
            var _ = client.resource(object).create();
        });
        Eventually.holds(
                "the rights are known",
                () -> cluster.plane()
                        .kubectl(
                                "auth",
                                "can-i",
                                "watch",
                                "secrets/" + SECRET,
                                "-n",
                                Account.NAMESPACE,
                                "--as=system:serviceaccount:gpu-webhook:gpu-webhook")
                        .run()
                        .output()
                        .startsWith("yes"));
        return granted;
    }

    Optional<Secret> secret() {
        return Optional.ofNullable(
                client.secrets().inNamespace(Account.NAMESPACE).withName(SECRET).get());
    }

    CertificateSecret certificates() {
        return CertificateSecret.read(secret().map(Secret::getData)
                .map(data -> data == null ? Map.<String, String>of() : data)
                .orElse(Map.of()));
    }

    void forgetSecret() {
        var _ = client.secrets().inNamespace(Account.NAMESPACE).withName(SECRET).delete();
    }

    /** Someone else writes into the Secret. */
    void damage(String key, String value) {
        var _ = client.secrets().inNamespace(Account.NAMESPACE).withName(SECRET).edit(found -> {
            found.getData().put(key, value);
            return found;
        });
    }

    MutatingWebhookConfiguration configuration() {
        return Objects.requireNonNull(client.resources(MutatingWebhookConfiguration.class)
                .withName(Registration.NAME)
                .get());
    }

    String caBundle() {
        @Nullable
        String bundle =
                configuration().getWebhooks().getFirst().getClientConfig().getCaBundle();
        return bundle == null ? "" : bundle;
    }

    /** Someone else writes the caBundle. */
    void registerBundle(String caBundle) {
        register(new WebhookClientConfigBuilder()
                .withUrl(door.url())
                .withCaBundle(caBundle)
                .build());
    }

    /** Someone else annotates the configuration of the webhook; what was there before goes. */
    void annotate(Map<String, String> annotations) {
        var _ = client.resources(MutatingWebhookConfiguration.class)
                .withName(Registration.NAME)
                .edit(found -> {
                    found.getMetadata().setAnnotations(annotations);
                    return found;
                });
    }

    private void register(WebhookClientConfig address) {
        var _ = client.resources(MutatingWebhookConfiguration.class)
                .withName(Registration.NAME)
                .edit(found -> {
                    found.getWebhooks().forEach(webhook -> webhook.setClientConfig(address));
                    return found;
                });
    }

    /** The Secret is whole, the caBundle holds its authorities and no others, and one certificate is served by all. */
    boolean isSettled() throws IOException {
        CertificateSecret stored = certificates();
        if (stored.leaf().isEmpty() || stored.signer().isEmpty()) {
            return false;
        }
        String served = serial(stored.leaf().get().certificate());
        for (Gateway replica : replicas) {
            if (!replica.lastServed().equals(served)) {
                return false;
            }
        }
        return bundled()
                .equals(List.copyOf(stored.authorities().stream()
                        .map(SelfManagedMode::serial)
                        .sorted()
                        .toList()));
    }

    List<String> bundled() {
        return WebhookCaBundle.read("", Set.of(), caBundle()).authorities().stream()
                .map(SelfManagedMode::serial)
                .sorted()
                .toList();
    }

    static String serial(X509Certificate certificate) {
        return certificate.getSerialNumber().toString(16);
    }

    void end() throws IOException, InterruptedException {
        for (Gateway replica : replicas) {
            replica.kill();
        }
        door.close();
        rights.forEach(object -> {
            var _ = client.resource(object).delete();
        });
        forgetSecret();
        register(new WebhookClientConfigBuilder()
                .withUrl(cluster.gateway().url())
                .withCaBundle(
                        Base64.getEncoder().encodeToString(cluster.gateway().caBundle()))
                .build());
    }
}
