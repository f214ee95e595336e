package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfigBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.util.Base64;
import java.util.List;

/**
 * The manifests as they ship, with the component that lets the gateway see pods, but for the address at which the API
 * server finds the gateway.
 */
final class Registration {

    static final String NAME = "gpu-allocation-webhook";

    private final KubernetesClient client;
    private final List<HasMetadata> shipped;

    /** Everything is applied, but the webhook is not registered yet, and no replica is asked for. */
    Registration(ControlPlane plane) {
        client = plane.client();
        String rendered = plane.kubectl("kustomize", "src/it/manifests").output();
        shipped =
                client.load(new ByteArrayInputStream(rendered.getBytes(UTF_8))).items();
        shipped.stream()
                .filter(object -> !(object instanceof MutatingWebhookConfiguration))
                .map(Registration::withoutReplicas)
                .forEach(object -> {
                    var _ = client.resource(object).create();
                });
    }

    private static HasMetadata withoutReplicas(HasMetadata object) {
        if (object instanceof Deployment deployment) {
            deployment.getSpec().setReplicas(0);
        }
        return object;
    }

    void register(String url, byte[] caBundle) {
        MutatingWebhookConfiguration configuration = shipped.stream()
                .filter(MutatingWebhookConfiguration.class::isInstance)
                .map(MutatingWebhookConfiguration.class::cast)
                .findFirst()
                .orElseThrow();
        configuration
                .getWebhooks()
                .forEach(webhook -> webhook.setClientConfig(new WebhookClientConfigBuilder()
                        .withUrl(url)
                        .withCaBundle(Base64.getEncoder().encodeToString(caBundle))
                        .build()));
        var _ = client.resource(configuration).create();
    }
}
