package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code sluice certs show --secret} against a cluster whose caBundle is that of the stage's own gateway. */
@AgainstControlPlane
class ShowSecretIT {

    private static final Duration DAY = Duration.ofDays(1);
    private static final ServerCertificateNames NAMES =
            new ServerCertificateNames(List.of("gpu-webhook.gpu-webhook.svc"), List.of());

    @AfterEach
    void thereIsNoSecret(Cluster cluster) {
        var _ = cluster.client()
                .secrets()
                .inNamespace(Account.NAMESPACE)
                .withName(SelfManagedMode.SECRET)
                .delete();
    }

    @Test
    void saysWhetherTheApiServerAcceptsWhatIsStored(Cluster cluster) {
        Command.Ended none = show(cluster);
        assertThat(none.complaint()).contains("there is no Secret gpu-webhook/gpu-webhook-certs; apply one of");
        assertThat(none.code()).isEqualTo(2);

        CertificateAuthority stranger = CertificateAuthority.create(Instant.now(), DAY);
        store(cluster, stranger.issue(NAMES, Instant.now(), DAY));
        Command.Ended refused = show(cluster);
        assertThat(refused.complaint())
                .contains("the API server refuses the certificate in the Secret: no authority in the");
        assertThat(refused.code()).isEqualTo(1);

        Command.Ended served = show(cluster, "--url", cluster.gateway().url());
        assertThat(served.complaint()).doesNotContain("the certificate that the server shows");

        thereIsNoSecret(cluster);
        store(cluster, cluster.gateway().anotherPair());
        Command.Ended accepted = show(cluster);
        assertThat(accepted.complaint()).isEmpty();
        assertThat(accepted.output())
                .contains("Secret gpu-webhook/gpu-webhook-certs, tls.crt, certificate 1 of 1")
                .contains("caBundle of gpu-allocation-webhook, certificate 1 of 1")
                .endsWith("the caBundle verifies the certificate in the Secret; sluice status proves what is served\n");
        assertThat(accepted.code()).isZero();
    }

    private static Command.Ended show(Cluster cluster, String... more) {
        return Command.in(Path.of("."), words(more))
                .with("KUBECONFIG", cluster.plane().kubeconfig().toString())
                .run();
    }

    private static List<String> words(String... more) {
        List<String> words = new ArrayList<>(List.of(Gateway.LAUNCHER.toString(), "certs", "show"));
        words.addAll(List.of(more));
        words.add("--secret");
        return words;
    }

    private static void store(Cluster cluster, CertifiedKey pair) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace(Account.NAMESPACE)
                .withName(SelfManagedMode.SECRET)
                .endMetadata()
                .addToData("tls.crt", base64(pair.certificatePem()))
                .addToData("tls.key", base64(pair.keyPem()))
                .build();
        var _ = cluster.client().resource(secret).create();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
