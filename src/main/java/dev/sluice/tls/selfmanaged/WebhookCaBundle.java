package dev.sluice.tls.selfmanaged;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.tls.CertificatePath;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.PemFile.UnusableFileException;
import dev.sluice.tls.selfmanaged.CaBundleAuthorities.Integrity;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The caBundle of the webhook: the authorities that the API server trusts when it calls the gateway.
 *
 * @param injectors the annotations of the webhook configuration that make cert-manager write the caBundle as well
 */
public record WebhookCaBundle(
        String resourceVersion, List<X509Certificate> authorities, Integrity integrity, List<String> injectors) {

    private static final String INJECTION = "cert-manager.io/inject-";

    public WebhookCaBundle {
        authorities = List.copyOf(authorities);
        injectors = List.copyOf(injectors);
    }

    /** Creates a bundle with these authorities that exists only in memory and is not written to the cluster. */
    static WebhookCaBundle of(List<X509Certificate> authorities) {
        return new WebhookCaBundle("", authorities, Integrity.INTACT, List.of());
    }

    /**
     * Reads a caBundle in base64, as the API server returns it. The result may be damaged, because the API server
     * accepts any bytes as a caBundle.
     */
    public static WebhookCaBundle read(String resourceVersion, Set<String> annotations, String caBundle) {
        List<String> injectors = annotations.stream()
                .filter(name -> name.startsWith(INJECTION))
                .sorted()
                .toList();
        try {
            String pem = new String(Base64.getDecoder().decode(caBundle), ISO_8859_1);
            List<X509Certificate> authorities =
                    pem.isBlank() ? List.of() : new PemFile(Path.of("caBundle"), pem).certificates();
            return new WebhookCaBundle(resourceVersion, authorities, Integrity.INTACT, injectors);
        } catch (UnusableFileException | IllegalArgumentException damaged) {
            return new WebhookCaBundle(resourceVersion, List.of(), Integrity.DAMAGED, injectors);
        }
    }

    /**
     * Returns true if an authority in the caBundle is in the chain, or has signed a certificate in the chain. The API
     * server accepts both cases, because it uses the verifier of Go. Expired authorities do not count, and a damaged
     * caBundle trusts no chain.
     */
    public boolean trusts(List<X509Certificate> chain, Instant now) {
        return integrity == Integrity.INTACT
                && authorities.stream()
                        .filter(authority ->
                                now.isBefore(authority.getNotAfter().toInstant()))
                        .anyMatch(authority -> chain.stream()
                                .anyMatch(each -> each.equals(authority) || CertificatePath.isIssuer(authority, each)));
    }

    /** Returns the reason why {@link #trusts} has returned false for a chain. */
    public String distrust() {
        return integrity == Integrity.DAMAGED
                ? "the caBundle is damaged"
                : authorities.isEmpty() ? "the caBundle is empty" : "no authority in the caBundle has signed it";
    }

    public static String caBundle(Collection<X509Certificate> authorities) {
        return Base64.getEncoder().encodeToString(CertifiedKey.pem(authorities).getBytes(ISO_8859_1));
    }
}
