package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.ServerCertificateNames;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfigBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What cert-manager does to the Secret and to the caBundle, and kubelet to the files, while pods are created. The
 * authority is renewed with its key, as {@code tls/cert-manager} asks for.
 */
@AgainstControlPlane
class CertManagerIT {

    private static final int RENEWALS = Integer.getInteger("tls.mount.rotations", 5);
    private static final Duration DAY = Duration.ofDays(1);
    private static final ServerCertificateNames NAMES =
            new ServerCertificateNames(List.of("gpu-webhook.gpu-webhook.svc"), List.of("127.0.0.1"));
    /** The gateway serves what is mounted within 2 s; the rest is for a busy machine. */
    private static final Duration SERVED = Duration.ofSeconds(10);

    private @Nullable Gateway gateway;
    private @Nullable SteadyPods pods;

    @AfterEach
    void theUsualGatewayIsAskedAgain(Cluster cluster) throws Exception {
        if (pods != null) {
            pods.end();
        }
        register(cluster, cluster.gateway().url(), new String(cluster.gateway().caBundle(), UTF_8));
        if (gateway != null) {
            gateway.kill();
        }
    }

    @Test
    void renewalsOfTheCertificateAndOfTheAuthorityMissNoPod(Cluster cluster) throws Exception {
        SteadyPods.offerWholeGpus(cluster);
        CertificateAuthority first = CertificateAuthority.create(Instant.now(), DAY);
        Path directory = cluster.plane().scratch("cert-manager");
        SecretMount mount = SecretMount.of(directory, secret(first));
        Gateway started = start(cluster, directory);
        register(cluster, started.url(), first.certificatePem());
        Eventually.holds("the API server asks it", () -> {
            var _ = cluster.dryRun(Pods.asking("first", SteadyPods.MIG));
            return started.decisions() > 0;
        });
        SteadyPods steady = SteadyPods.begin(cluster);
        pods = steady;

        for (int i = 0; i < RENEWALS; i++) {
            renew(mount, first, steady);
        }
        CertificateAuthority second = renewed(cluster, first);
        register(cluster, started.url(), second.certificatePem());
        steady.more(20);
        for (int i = 0; i < RENEWALS; i++) {
            renew(mount, second, steady);
        }
        System.out.println(2 * RENEWALS + " renewals as by cert-manager: " + steady.allWereDecided() + " pods");
    }

    private Gateway start(Cluster cluster, Path mounted) throws Exception {
        Gateway started = new Gateway(
                        cluster.plane(),
                        "mounted-secret",
                        Account.byKubeconfig(cluster.plane()),
                        Gateway.SHIPPED_POLICY,
                        "{certificate: %1$s/tls.crt, key: %1$s/tls.key}".formatted(mounted))
                .ready();
        gateway = started;
        started.awaitNodes(1);
        return started;
    }

    private void renew(SecretMount mount, CertificateAuthority authority, SteadyPods steady) throws Exception {
        Map<String, String> files = secret(authority);
        mount.swap(files);
        String serial = SelfManagedMode.serial(new PemFile(Path.of("tls.crt"), files.getOrDefault("tls.crt", ""))
                .certificates()
                .getFirst());
        Eventually.within(
                SERVED,
                "the renewed certificate is served",
                () -> Objects.requireNonNull(gateway).lastServed().equals(serial));
        steady.more(8);
    }

    private static Map<String, String> secret(CertificateAuthority authority) {
        CertifiedKey pair = authority.issue(NAMES, Instant.now(), DAY);
        return Map.of("tls.crt", pair.certificatePem(), "tls.key", pair.keyPem(), "ca.crt", authority.certificatePem());
    }

    /** Another certificate for the same key and the same name, whose very bytes Go compares. */
    private static CertificateAuthority renewed(Cluster cluster, CertificateAuthority authority) throws Exception {
        Path files = cluster.plane().scratch("renewed-authority");
        Files.writeString(files.resolve("ca.key"), authority.identity().keyPem());
        Files.writeString(files.resolve("ca.crt"), authority.certificatePem());
        List<String> words = List.of(
                "openssl",
                "x509",
                "-in",
                "ca.crt",
                "-signkey",
                "ca.key",
                "-days",
                "2",
                "-set_serial",
                "77",
                "-out",
                "renewed.crt");
        var _ = Command.in(files, words).output();
        return new CertificateAuthority(
                PemFile.read(files.resolve("renewed.crt")).withKey(PemFile.read(files.resolve("ca.key"))));
    }

    private static void register(Cluster cluster, String url, String authorities) {
        var _ = cluster.client()
                .resources(MutatingWebhookConfiguration.class)
                .withName(Registration.NAME)
                .edit(found -> {
                    found.getWebhooks()
                            .forEach(webhook -> webhook.setClientConfig(new WebhookClientConfigBuilder()
                                    .withUrl(url)
                                    .withCaBundle(Base64.getEncoder().encodeToString(authorities.getBytes(UTF_8)))
                                    .build()));
                    return found;
                });
    }
}
