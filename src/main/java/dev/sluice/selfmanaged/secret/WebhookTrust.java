package dev.sluice.selfmanaged.secret;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.rotation.TrustedAuthorities.Integrity;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.PemFile.UnusableFileException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Collection;
import java.util.List;

/** The caBundle of the webhook: the authorities whose certificates the API server accepts. */
public record WebhookTrust(String resourceVersion, List<X509Certificate> authorities, Integrity integrity) {

    public WebhookTrust {
        authorities = List.copyOf(authorities);
    }

    /** Reads what the API server shows, in base64. It accepts anything as a caBundle. */
    public static WebhookTrust read(String resourceVersion, String caBundle) {
        try {
            String pem = new String(Base64.getDecoder().decode(caBundle), ISO_8859_1);
            return pem.isBlank()
                    ? new WebhookTrust(resourceVersion, List.of(), Integrity.INTACT)
                    : new WebhookTrust(
                            resourceVersion, new PemFile(Path.of("caBundle"), pem).certificates(), Integrity.INTACT);
        } catch (UnusableFileException | IllegalArgumentException damaged) {
            return new WebhookTrust(resourceVersion, List.of(), Integrity.DAMAGED);
        }
    }

    public static String caBundle(Collection<X509Certificate> authorities) {
        return Base64.getEncoder().encodeToString(CertifiedKey.pem(authorities).getBytes(ISO_8859_1));
    }
}
