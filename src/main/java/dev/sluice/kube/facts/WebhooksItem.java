package dev.sluice.kube.facts;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.doctor.facts.ClusterFacts.WebhookFacts;
import dev.sluice.doctor.facts.WebhookNamespaceFacts;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.PemFile.UnusableFileException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of a MutatingWebhookConfiguration that a diagnosis needs. Only the webhooks that call Sluice are kept. */
record WebhooksItem(String apiVersion, String kind, ItemMeta metadata, List<WebhookItem> webhooks)
        implements ClusterItem {

    /** The name of Sluice's webhook in the configuration. */
    private static final String NAME = "gpu-allocation.k8s.io";

    WebhooksItem {
        metadata = metadata == null ? ItemMeta.NONE : metadata;
        webhooks =
                webhooks.stream().filter(webhook -> webhook.name().equals(NAME)).toList();
    }

    record WebhookItem(
            String name,
            String failurePolicy,
            @Nullable SelectorItem namespaceSelector,
            @Nullable ClientConfigItem clientConfig) {}

    record ClientConfigItem(@Nullable ServiceItem service, String caBundle) {}

    record ServiceItem(String namespace, String name) {}

    List<WebhookFacts> facts() {
        return webhooks.stream().map(this::facts).toList();
    }

    private WebhookFacts facts(WebhookItem webhook) {
        ClientConfigItem client = webhook.clientConfig();
        List<X509Certificate> trusted = client == null ? List.of() : certificates(client.caBundle());
        return new WebhookFacts(
                metadata.name(),
                webhook.name(),
                client == null || client.service() == null
                        ? ""
                        : client.service().namespace() + "/" + client.service().name(),
                webhook.failurePolicy(),
                webhook.namespaceSelector() == null
                        ? WebhookNamespaceFacts.ALL
                        : new WebhookNamespaceFacts(webhook.namespaceSelector().requirements()),
                trusted.size(),
                trusted.stream()
                        .map(certificate -> certificate.getNotAfter().toInstant())
                        .max(Comparator.<Instant>naturalOrder())
                        .orElse(null));
    }

    /**
     * Returns the certificates in {@code caBundle}. The API server accepts any text as a caBundle. The result is empty
     * if the text contains no valid certificates.
     */
    private static List<X509Certificate> certificates(String caBundle) {
        try {
            String pem = new String(Base64.getDecoder().decode(caBundle), ISO_8859_1);
            return pem.isBlank() ? List.of() : new PemFile(Path.of("caBundle"), pem).certificates();
        } catch (UnusableFileException | IllegalArgumentException damaged) {
            return List.of();
        }
    }
}
