package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.selfmanaged.CaBundleAuthorities.Integrity;
import dev.sluice.tls.selfmanaged.CertificateSecret;
import dev.sluice.tls.selfmanaged.StoredTrust;
import dev.sluice.tls.selfmanaged.WebhookCaBundle;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CertsShowSecretTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration YEAR = Duration.ofDays(365);
    private static final ServerCertificateNames NAMES =
            new ServerCertificateNames(List.of("gpu-webhook.gpu-webhook.svc"), List.of());

    private final CertificateAuthority authority = CertificateAuthority.create(NOW, YEAR);
    private final CertificateAuthority other = CertificateAuthority.create(NOW, YEAR);
    private final CertifiedKey leaf = authority.issue(NAMES, NOW, YEAR);

    private List<String> problems(Optional<WebhookCaBundle> trust, List<X509Certificate> shown) {
        CertificateSecret secret =
                new CertificateSecret(List.of(authority.identity().certificate()), Optional.empty(), Optional.of(leaf));
        return new CertsShowSecret(new StoredTrust(secret, List.of(), trust), NOW).problems(shown);
    }

    private static Optional<WebhookCaBundle> trusting(CertificateAuthority... authorities) {
        return Optional.of(new WebhookCaBundle(
                "1",
                List.of(authorities).stream()
                        .map(each -> each.identity().certificate())
                        .toList(),
                Integrity.INTACT,
                List.of()));
    }

    @Test
    void nothingIsWrongWhereTheBundleVerifiesWhatIsStoredAndShown() {
        assertThat(problems(trusting(other, authority), leaf.chain())).isEmpty();
        assertThat(problems(trusting(authority), List.of())).isEmpty();
    }

    @Test
    void saysWhyTheApiServerRefusesTheCertificate() {
        assertThat(problems(trusting(other), List.of()))
                .singleElement()
                .asString()
                .startsWith("the API server refuses the certificate in the Secret: no authority in the caBundle has"
                        + " signed it; ")
                .contains("tls.mode self-managed", "tls/make-certs.sh", "cert-manager");
        assertThat(problems(trusting(), List.of())).singleElement().asString().contains("the caBundle is empty");
        assertThat(problems(Optional.of(new WebhookCaBundle("1", List.of(), Integrity.DAMAGED, List.of())), List.of()))
                .singleElement()
                .asString()
                .contains("the caBundle is damaged");
        assertThat(problems(Optional.empty(), List.of()))
                .singleElement()
                .asString()
                .contains("so no pod is sent to the gateway; apply one of k8s/overlays");
    }

    @Test
    void tellsAServerThatShowsSomethingElseFromTheSecret() {
        CertifiedKey strange = other.issue(NAMES, NOW, YEAR);
        assertThat(problems(trusting(authority), strange.chain()))
                .singleElement()
                .asString()
                .contains("refuses the certificate that the server shows");
    }

    @Test
    void anAuthorityThatHasExpiredVerifiesNothing() {
        CertificateSecret secret = new CertificateSecret(List.of(), Optional.empty(), Optional.of(leaf));
        assertThat(new CertsShowSecret(
                                new StoredTrust(secret, List.of("ca.crt"), trusting(authority)),
                                NOW.plus(YEAR).plusSeconds(1))
                        .problems(List.of()))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("the key ca.crt of the Secret cannot be used");
    }
}
