package dev.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateAuthorityTest {

    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final ServerCertificateNames NAMES = new ServerCertificateNames(
            List.of("gpu-webhook.gpu-webhook.svc", "localhost"), List.of("127.0.0.1", "fd00::7"));

    private final CertificateAuthority authority = CertificateAuthority.create(NOW, Duration.ofDays(3650));
    private final X509Certificate leaf =
            authority.issue(NAMES, NOW, Duration.ofDays(90)).certificate();

    @Test
    void theAuthorityMaySignServersAndNoFurtherAuthority() {
        X509Certificate certificate = authority.identity().certificate();

        assertThat(certificate.getBasicConstraints()).isZero();
        // digitalSignature .. keyCertSign, cRLSign .. decipherOnly (RFC 5280, 4.2.1.3)
        assertThat(certificate.getKeyUsage())
                .containsExactly(false, false, false, false, false, true, true, false, false);
        assertThat(certificate.getCriticalExtensionOIDs()).contains("2.5.29.19", "2.5.29.15");
        assertThat(certificate.getNotAfter()).isEqualTo(Date.from(NOW.plus(Duration.ofDays(3650))));
    }

    @Test
    void theLeafIsAServerOfP256SignedByTheAuthority() throws Exception {
        leaf.verify(authority.identity().certificate().getPublicKey());

        assertThat(leaf.getIssuerX500Principal())
                .isEqualTo(authority.identity().certificate().getSubjectX500Principal());
        assertThat(leaf.getBasicConstraints()).isEqualTo(-1);
        assertThat(leaf.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(((ECPublicKey) leaf.getPublicKey()).getParams().toString()).contains("secp256r1");
    }

    @Test
    void theLeafNamesEveryDnsNameAndAddress() throws Exception {
        assertThat(leaf.getSubjectAlternativeNames())
                .containsExactly(
                        List.of(2, "gpu-webhook.gpu-webhook.svc"),
                        List.of(2, "localhost"),
                        List.of(7, "127.0.0.1"),
                        List.of(7, "fd00:0:0:0:0:0:0:7"));
    }

    /**
     * The issuer's serial number would tie the leaf to one certificate of an authority that is renewed with its key.
     */
    @Test
    void theLeafKnowsItsAuthorityByTheKeyAlone() throws Exception {
        JcaX509CertificateHolder issuer =
                new JcaX509CertificateHolder(authority.identity().certificate());
        AuthorityKeyIdentifier known =
                AuthorityKeyIdentifier.fromExtensions(new JcaX509CertificateHolder(leaf).getExtensions());

        assertThat(known.getKeyIdentifierOctets())
                .isEqualTo(SubjectKeyIdentifier.fromExtensions(issuer.getExtensions())
                        .getKeyIdentifier());
        assertThat(known.getAuthorityCertIssuer()).isNull();
        assertThat(known.getAuthorityCertSerialNumber()).isNull();
    }

    @Test
    void isValidForAClockThatIsBehind() throws Exception {
        leaf.checkValidity(Date.from(NOW.minus(Duration.ofMinutes(4))));
        leaf.checkValidity(Date.from(NOW.plus(Duration.ofDays(90))));

        assertThatThrownBy(() -> leaf.checkValidity(Date.from(NOW.plus(Duration.ofDays(91)))))
                .isInstanceOf(CertificateExpiredException.class);
    }

    @Test
    void theLeafEndsWithItsAuthorityAtTheLatest() {
        X509Certificate longer =
                authority.issue(NAMES, NOW, Duration.ofDays(4000)).certificate();

        assertThat(longer.getNotAfter())
                .isEqualTo(authority.identity().certificate().getNotAfter());
    }

    @Test
    void everyCertificateHasItsOwnSerialAndKey() {
        X509Certificate other = authority.issue(NAMES, NOW, Duration.ofDays(90)).certificate();

        assertThat(other.getSerialNumber()).isNotEqualTo(leaf.getSerialNumber());
        assertThat(other.getPublicKey()).isNotEqualTo(leaf.getPublicKey());
    }

    @Test
    void aLeafIsNoAuthority() {
        CertifiedKey issued = authority.issue(NAMES, NOW, Duration.ofDays(90));

        assertThatThrownBy(() -> new CertificateAuthority(issued)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNameTooLongForTheCommonNameIsStillAnAlternativeName() throws Exception {
        String name = "a-rather-long-name-of-a-service.in-a-namespace-with-a-long-name.svc.cluster.local";
        X509Certificate certificate = authority
                .issue(new ServerCertificateNames(List.of(name), List.of()), NOW, Duration.ofDays(1))
                .certificate();

        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=Sluice webhook");
        assertThat(certificate.getSubjectAlternativeNames()).contains(List.of(2, name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Upper.example", "under_score", "-a", "a-", "a..b", "a.", "a b", "*", "a.*.b", "1.2.3"})
    void refusesWhatIsNoDnsName(String name) {
        assertThat(ServerCertificateNames.problems(List.of(name), List.of()))
                .singleElement()
                .asString()
                .startsWith("'" + name + "' is not a DNS name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "localhost", "gpu-webhook.gpu-webhook.svc", "*.example", "1a.2b", "x--y.z"})
    void takesDnsNames(String name) {
        assertThat(ServerCertificateNames.problems(List.of(name), List.of())).isEmpty();
    }

    @Test
    void tellsAnAddressAmongTheNamesAndANameAmongTheAddresses() {
        assertThat(ServerCertificateNames.problems(List.of("10.0.0.7"), List.of("localhost")))
                .containsExactly(
                        "'10.0.0.7' is an IP address; give it with --ip",
                        "'localhost' is not an IP address (for example 10.0.0.7 or fd00::7)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1.2.3", "localhost", "[::1]", "fe80::1%eth0", "1.2.3.4/8", "256.1.1.1"})
    void refusesWhatIsNoAddress(String address) {
        assertThat(ServerCertificateNames.problems(List.of(), List.of(address)))
                .singleElement()
                .asString()
                .startsWith("'" + address + "' is not an IP address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "fd00::7", "2001:db8:0:0:0:0:0:1"})
    void takesAddresses(String address) throws Exception {
        ServerCertificateNames names = new ServerCertificateNames(List.of(), List.of(address));
        X509Certificate certificate =
                authority.issue(names, NOW, Duration.ofDays(1)).certificate();

        assertThat(certificate.getSubjectAlternativeNames())
                .containsExactly(List.of(7, InetAddress.ofLiteral(address).getHostAddress()));
    }

    @Test
    void neitherKeyNorPemTextIsPrinted() {
        assertThat(authority.toString()).contains("CN=Sluice webhook CA").doesNotContainIgnoringCase("private");
    }
}
