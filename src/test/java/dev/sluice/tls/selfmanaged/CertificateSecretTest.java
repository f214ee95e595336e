package dev.sluice.tls.selfmanaged;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.selfmanaged.CaBundleAuthorities.Integrity;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateSecretTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final SelfManagedIssuer ISSUING =
            issuing(new ServerCertificateNames(List.of("gpu-webhook.gpu-webhook.svc"), List.of("127.0.0.1")));

    private final CertificateAuthority authority = ISSUING.authority(NOW);
    private final CertificateSecret whole = new CertificateSecret(List.of(), Optional.empty(), Optional.empty())
            .introducing(authority, List.of())
            .holding(ISSUING.leaf(authority, Optional.empty(), NOW));
    private final Map<String, String> data = whole.writtenOver(Map.of("theirs", "c3RheXM="));

    private static SelfManagedIssuer issuing(ServerCertificateNames names) {
        return new SelfManagedIssuer(names, new RotationTimes(Duration.ofDays(90), Duration.ofDays(730)));
    }

    @Test
    void isReadAsItWasWrittenAndKeepsTheKeysOfOthers() {
        assertThat(CertificateSecret.read(data)).isEqualTo(whole);
        assertThat(data).containsEntry("theirs", "c3RheXM=").hasSize(5);
        StoredCertificates summary = whole.summary(ISSUING);
        assertThat(summary.authorities()).hasSize(1);
        assertThat(summary.signer()).contains(summary.authorities().getFirst().id());
        assertThat(summary.leaf()).hasValueSatisfying(leaf -> {
            assertThat(leaf.authority())
                    .isEqualTo(summary.authorities().getFirst().id());
            assertThat(leaf.coverage()).isEqualTo(StoredCertificates.Coverage.ALL_NAMES);
            assertThat(Duration.between(leaf.life().begin(), leaf.life().end())).isEqualTo(Duration.ofDays(90));
        });
    }

    /** The certificates of both uses are in one Secret, and a release that knows one of them keeps the other. */
    @Test
    void theCertificatesOfReplicasStandBesideThoseOfTheWebhook() {
        SelfManagedIssuer issuing =
                SelfManagedIssuer.ofPeers(new RotationTimes(Duration.ofDays(90), Duration.ofDays(730)));
        CertificateAuthority ofPeers = issuing.authority(NOW);
        CertificateSecret peers = CertificateSecret.read(data, CertificateUse.PEERS)
                .introducing(ofPeers, List.of())
                .holding(issuing.leaf(ofPeers, Optional.empty(), NOW));
        Map<String, String> both = peers.writtenOver(data);

        assertThat(both).containsAllEntriesOf(data).hasSize(9);
        assertThat(CertificateSecret.read(both, CertificateUse.PEERS)).isEqualTo(peers);
        assertThat(CertificateSecret.read(both)).isEqualTo(whole);
        assertThat(whole.writtenOver(both)).isEqualTo(both);
        assertThat(peers.summary(issuing).leaf())
                .hasValueSatisfying(
                        leaf -> assertThat(leaf.coverage()).isEqualTo(StoredCertificates.Coverage.ALL_NAMES));
    }

    @ParameterizedTest
    @CsvSource({
        "ca.crt, false, false, false",
        "ca.key, true, false, true",
        "tls.crt, true, true, false",
        "tls.key, true, true, false"
    })
    void whatIsCutShortIsMissingAndTheRestIsUsed(String key, boolean authorities, boolean signer, boolean leaf) {
        byte[] bytes = Base64.getDecoder().decode(data.getOrDefault(key, ""));
        for (int length : List.of(0, 1, bytes.length / 2, bytes.length - 30)) {
            CertificateSecret read = CertificateSecret.read(with(key, Arrays.copyOf(bytes, length)));
            assertThat(read.authorities().isEmpty()).isEqualTo(!authorities);
            assertThat(read.signer().isPresent()).isEqualTo(signer);
            assertThat(read.summary(ISSUING).leaf().isPresent()).isEqualTo(leaf);
        }
    }

    private Map<String, String> with(String key, byte[] bytes) {
        Map<String, String> changed = new HashMap<>(data);
        changed.put(key, Base64.getEncoder().encodeToString(bytes));
        return changed;
    }

    /** Whoever may write the Secret must not be able to stop the replicas. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void noContentThrows(int seed) {
        Random random = new Random(seed);
        for (String key : List.of("ca.crt", "ca.key", "tls.crt", "tls.key")) {
            for (int i = 0; i < 50; i++) {
                byte[] bytes = Base64.getDecoder().decode(data.getOrDefault(key, ""));
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                CertificateSecret read = CertificateSecret.read(with(key, bytes));
                assertThat(read.summary(ISSUING).authorities().size()).isLessThanOrEqualTo(1);
                assertThat(CertificateSecret.read(read.writtenOver(Map.of()))).isEqualTo(read);
            }
        }
        assertThat(CertificateSecret.read(Map.of("ca.crt", "no base64 %", "tls.crt", "AAAA")))
                .isEqualTo(new CertificateSecret(List.of(), Optional.empty(), Optional.empty()));
    }

    /** As tls/make-certs.sh leaves it. */
    @Test
    void aPairWithoutTheKeyOfItsAuthorityIsServedButSignsNothing() {
        Map<String, String> script = new HashMap<>(data);
        script.remove("ca.key");
        StoredCertificates summary = CertificateSecret.read(script).summary(ISSUING);
        assertThat(summary.signer()).isEmpty();
        assertThat(summary.authorities()).hasSize(1);
        assertThat(summary.leaf()).isPresent();
    }

    @Test
    void retiresRestoresAndIntroduces() {
        CertificateAuthority next = ISSUING.authority(NOW);
        CertificateSecret both = whole.introducing(next, whole.authorities());
        assertThat(both.signer()).contains(next);
        assertThat(both.issuer(both.leaf().orElseThrow()))
                .contains(authority.identity().certificate());
        CertificateSecret one = both.without(
                Set.of(CertificateFingerprint.of(authority.identity().certificate())));
        assertThat(one.authorities()).containsExactly(next.identity().certificate());
        assertThat(one.summary(ISSUING).leaf()).isEmpty();
        assertThat(one.restoring(authority.identity().certificate()).authorities())
                .hasSize(2);
    }

    /** Or two revisions with different names would replace each other's certificates during a rollout. */
    @Test
    void aCertificateThatTakesThePlaceOfOneWithoutANameKeepsTheNamesOfThatOne() {
        SelfManagedIssuer other = issuing(new ServerCertificateNames(List.of("other.example.com"), List.of()));
        CertifiedKey former = whole.leaf().orElseThrow();
        assertThat(other.covered(former.certificate())).isFalse();
        CertifiedKey both = other.leaf(authority, Optional.of(former), NOW);
        assertThat(other.covered(both.certificate())).isTrue();
        CertifiedKey again = ISSUING.leaf(authority, Optional.of(both), NOW);
        assertThat(other.covered(again.certificate())).isTrue();
        assertThat(ISSUING.covered(again.certificate())).isTrue();
        assertThat(other.covered(
                        ISSUING.leaf(authority, Optional.of(again), NOW).certificate()))
                .as("a renewal bears what is configured")
                .isFalse();
    }

    @Test
    void aBundleIsIntactOrDamagedOrEmpty() {
        String bundle = WebhookCaBundle.caBundle(whole.authorities());
        assertThat(trust(bundle)).isEqualTo(new WebhookCaBundle("1", whole.authorities(), Integrity.INTACT, List.of()));
        assertThat(trust("").integrity()).isEqualTo(Integrity.INTACT);
        assertThat(trust("bm8gY2VydGlmaWNhdGU=").integrity()).isEqualTo(Integrity.DAMAGED);
        assertThat(trust("%").integrity()).isEqualTo(Integrity.DAMAGED);
    }

    private static WebhookCaBundle trust(String caBundle, String... annotations) {
        return WebhookCaBundle.read("1", Set.of(annotations), caBundle);
    }

    @Test
    void theAnnotationsThatMakeCertManagerWriteTheBundleAreKnown() {
        for (String bundle : List.of("", "%", WebhookCaBundle.caBundle(whole.authorities()))) {
            assertThat(trust(bundle, "cert-manager.io/inject-ca-from", "owner", "cert-manager.io/issuer")
                            .injectors())
                    .containsExactly("cert-manager.io/inject-ca-from");
        }
    }

    @Test
    void noKeyIsShown() {
        assertThat(whole.toString()).doesNotContain("PRIVATE");
        assertThat(whole.damaged(data)).isEmpty();
        assertThat(whole.without(Set.of()).damaged(with("ca.key", new byte[] {1})))
                .isEmpty();
        Map<String, String> cut = with("ca.key", new byte[] {1});
        assertThat(CertificateSecret.read(cut).damaged(cut)).containsExactly("ca.key");
    }
}
