package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.selfmanaged.CertificateSecret;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Replicas that make their certificates themselves, under an API server that asks them about pods all the time. The
 * long versions are in {@code src/docs/certificates.md}.
 */
@AgainstControlPlane
class SelfManagedIT {

    private static final int ROTATIONS = Integer.getInteger("tls.authority.rotations", 2);
    private static final int RESTARTS = Integer.getInteger("tls.rolling.restarts", 2);

    /** A replica relies on an authority that has been in the caBundle for ten seconds. */
    private static final String USUAL = "{names: [127.0.0.1], certificateSeconds: 120, authoritySeconds: 900}";

    /** The authority is replaced every 24 s, and the certificate every 8 s. */
    private static final String SHORT = "{names: [127.0.0.1], certificateSeconds: 12, authoritySeconds: 36}";

    private static final Duration REPAIR = Duration.ofSeconds(5);
    private static final Duration SETTLING = Duration.ofSeconds(30);

    private @Nullable SelfManagedMode mode;
    private @Nullable SteadyPods pods;

    @BeforeEach
    void thereIsANode(Cluster cluster) {
        SteadyPods.offerWholeGpus(cluster);
    }

    @AfterEach
    void theUsualGatewayIsAskedAgain() throws Exception {
        if (pods != null) {
            pods.end();
        }
        if (mode != null) {
            mode.end();
        }
    }

    private SelfManagedMode begin(Cluster cluster, String selfManaged) throws Exception {
        SelfManagedMode begun = new SelfManagedMode(cluster, selfManaged);
        mode = begun;
        return begun.ready();
    }

    private SteadyPods create(Cluster cluster) throws Exception {
        SteadyPods begun = SteadyPods.begin(cluster);
        pods = begun;
        return begun;
    }

    @Test
    void twoReplicasThatStartAtOnceAgreeOnOneAuthorityAndOwnTheBundleOnly(Cluster cluster) throws Exception {
        SelfManagedMode begun = begin(cluster, USUAL);
        Eventually.within(REPAIR, "both serve what is stored", begun::isSettled);
        assertThat(begun.certificates().authorities()).hasSize(1);
        awaitDecision(cluster);
        List<String> owned = begun.configuration().getMetadata().getManagedFields().stream()
                .filter(entry -> Objects.equals(entry.getManager(), "sluice-certificates"))
                .map(ManagedFieldsEntry::getFieldsV1)
                .map(Serialization::asJson)
                .toList();
        assertThat(owned).singleElement().isEqualTo("""
            {"f:webhooks":{"k:{\\"name\\":\\"gpu-allocation.k8s.io\\"}":\
            {".":{},"f:clientConfig":{"f:caBundle":{}},"f:name":{}}}}""");
    }

    @Test
    void aDeletedSecretAndADamagedOneComeBackAndNoPodIsMissed(Cluster cluster) throws Exception {
        SelfManagedMode begun = begin(cluster, USUAL);
        Eventually.within(REPAIR, "both serve what is stored", begun::isSettled);
        awaitDecision(cluster);
        SteadyPods steady = create(cluster);
        String first = SelfManagedMode.serial(signer(begun));

        begun.forgetSecret();
        Eventually.within(
                REPAIR,
                "there is another authority",
                () -> begun.certificates()
                        .signer()
                        .filter(found -> !SelfManagedMode.serial(
                                        found.identity().certificate())
                                .equals(first))
                        .isPresent());
        assertThat(begun.bundled()).contains(first);
        Eventually.within(SETTLING, "both serve what is stored", begun::isSettled);
        assertThat(begun.certificates().authorities()).hasSize(2);

        for (String key : List.of("tls.crt", "tls.key")) {
            begun.damage(key, truncated(begun, key));
            Eventually.within(
                    REPAIR,
                    "both serve another certificate than the one whose " + key + " was cut",
                    () -> begun.certificates().leaf().isPresent() && begun.isSettled());
            steady.more(20);
        }
        for (String key : List.of("ca.key", "ca.crt")) {
            String before = SelfManagedMode.serial(signer(begun));
            begun.damage(key, truncated(begun, key));
            Eventually.within(
                    SETTLING,
                    "another authority has taken the place of the one whose " + key + " was cut",
                    () -> begun.isSettled()
                            && !SelfManagedMode.serial(signer(begun)).equals(before)
                            && !begun.certificates().authorities().isEmpty());
            steady.more(20);
        }
        System.out.println("pods beside damaged Secrets: " + steady.allWereDecided());
    }

    private static X509Certificate signer(SelfManagedMode begun) {
        return begun.certificates().signer().orElseThrow().identity().certificate();
    }

    private static String truncated(SelfManagedMode begun, String key) {
        Map<String, String> data = begun.secret().map(Secret::getData).orElseThrow();
        byte[] whole = Base64.getDecoder().decode(Objects.requireNonNull(data.get(key)));
        return Base64.getEncoder().encodeToString(Arrays.copyOf(whole, whole.length / 2));
    }

    @Test
    void aStrangersBundleIsReplacedWithinSeconds(Cluster cluster) throws Exception {
        SelfManagedMode begun = begin(cluster, USUAL);
        Eventually.within(REPAIR, "both serve what is stored", begun::isSettled);
        String right = begun.caBundle();
        String stranger =
                CertificateAuthority.create(Instant.now(), Duration.ofDays(1)).certificatePem();
        for (String wrong : List.of("", base64("no certificate"), base64(stranger))) {
            begun.registerBundle(wrong);
            Eventually.within(
                    REPAIR,
                    "the own authority is back",
                    () -> begun.caBundle().startsWith(right.substring(0, 100))
                            || begun.bundled().contains(SelfManagedMode.serial(signer(begun))));
            awaitDecision(cluster);
        }
        Eventually.within(
                SETTLING, "the stranger is gone", () -> begun.caBundle().equals(right));
    }

    @Test
    void aConfigurationThatCertManagerWritesTooIsComplainedOf(Cluster cluster) throws Exception {
        SelfManagedMode begun = begin(cluster, USUAL);
        Eventually.within(REPAIR, "both serve what is stored", begun::isSettled);
        begun.annotate(Map.of("cert-manager.io/inject-ca-from", "gpu-webhook/gpu-webhook"));
        for (Gateway replica : begun.replicas()) {
            Eventually.within(
                    REPAIR,
                    "the annotation is named",
                    () -> replica.readyz().contains("it bears cert-manager.io/inject-ca-from; remove that annotation"));
            assertThat(replica.metrics().sum("gpu_webhook_certificate_files_refused"))
                    .isOne();
        }
        begun.annotate(Map.of());
        for (Gateway replica : begun.replicas()) {
            Eventually.within(
                    REPAIR,
                    "all is well again",
                    () -> replica.metrics().sum("gpu_webhook_certificate_files_refused") == 0);
        }
        assertThat(begun.isSettled()).isTrue();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    @Test
    void rotationsOfTheAuthorityMissNoPod(Cluster cluster) throws Exception {
        SelfManagedMode begun = begin(cluster, SHORT);
        awaitDecision(cluster);
        SteadyPods steady = create(cluster);
        Set<String> authorities = new LinkedHashSet<>();
        Set<String> leaves = new LinkedHashSet<>();
        Eventually.within(Duration.ofSeconds(40L * (ROTATIONS + 1)), ROTATIONS + " rotations", () -> {
            CertificateSecret seen = begun.certificates();
            seen.signer()
                    .ifPresent(found -> authorities.add(
                            SelfManagedMode.serial(found.identity().certificate())));
            leaves.add(begun.replicas().getFirst().lastServed());
            assertThat(seen.authorities()).hasSizeLessThanOrEqualTo(4);
            return authorities.size() > ROTATIONS;
        });
        Eventually.within(SETTLING, "a certificate of the last authority is served", begun::isSettled);
        System.out.println(ROTATIONS + " authorities and " + leaves.size() + " certificates after the first: "
                + steady.allWereDecided() + " pods");
    }

    @Test
    void rollingRestartsMissNoPod(Cluster cluster) throws Exception {
        SelfManagedMode begun = begin(cluster, USUAL);
        awaitDecision(cluster);
        SteadyPods steady = create(cluster);
        for (int i = 0; i < RESTARTS; i++) {
            Gateway replica = begun.replicas().get(i % 2);
            replica.stop();
            replica.start();
            Eventually.holds("both are behind the Service", () -> begun.door().ready() == 2);
            steady.more(4);
        }
        System.out.println(RESTARTS + " rolling restarts: " + steady.allWereDecided() + " pods");
    }

    private static void awaitDecision(Cluster cluster) {
        Eventually.holds(
                "the API server asks the replicas",
                () -> !Pods.fallback(cluster.dryRun(Pods.asking("asks", SteadyPods.MIG))
                                .pod())
                        .isEmpty());
    }
}
