package dev.sluice.kube.facts;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.doctor.facts.ClusterFacts.WebhookFacts;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.PemFile.UnusableFileException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;

/** Reads the webhooks that call Sluice, and ignores all others. */
final class WebhookReader {

    private WebhookReader() {}

    static List<WebhookFacts> read(Fields item) throws MalformedItem {
        List<WebhookFacts> found = new ArrayList<>();
        for (Fields webhook : item.list("webhooks")) {
            if (webhook.text("name").equals(SharedItem.WEBHOOK)) {
                found.add(webhook(item, webhook));
            }
        }
        return found;
    }

    private static WebhookFacts webhook(Fields item, Fields webhook) throws MalformedItem {
        Fields client = webhook.object("clientConfig");
        Fields service = client.object("service");
        List<X509Certificate> trusted = certificates(client.text("caBundle"));
        return new WebhookFacts(
                item.object("metadata").text("name"),
                webhook.text("name"),
                service.has("name") ? service.text("namespace") + "/" + service.text("name") : "",
                webhook.text("failurePolicy"),
                trusted.size(),
                trusted.stream()
                        .map(certificate -> certificate.getNotAfter().toInstant())
                        .max(Comparator.<Instant>naturalOrder())
                        .orElse(null));
    }

    /** The API server accepts anything as a caBundle. */
    private static List<X509Certificate> certificates(String caBundle) {
        try {
            String pem = new String(Base64.getDecoder().decode(caBundle), ISO_8859_1);
            return pem.isBlank() ? List.of() : new PemFile(Path.of("caBundle"), pem).certificates();
        } catch (UnusableFileException | IllegalArgumentException damaged) {
            return List.of();
        }
    }
}
