package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code tls/make-certs.sh} as the overlays tell users to run it. */
@AgainstControlPlane
class MakeCertsIT {

    private static final String SCRIPT = Path.of("tls", "make-certs.sh").toString();

    @AfterEach
    void theUsualAuthorityIsTrustedAgain(Cluster cluster) {
        for (String name : List.of("gpu-webhook-certs", "gpu-webhook-peers-ca")) {
            var _ = cluster.client()
                    .secrets()
                    .inNamespace(Account.NAMESPACE)
                    .withName(name)
                    .delete();
        }
        var _ = cluster.client()
                .resources(MutatingWebhookConfiguration.class)
                .withName(Registration.NAME)
                .edit(found -> {
                    found.getWebhooks()
                            .forEach(webhook -> webhook.getClientConfig()
                                    .setCaBundle(Base64.getEncoder()
                                            .encodeToString(cluster.gateway().caBundle())));
                    return found;
                });
    }

    @Test
    void fillsTheSecretKeepsAGoodPairAndTrustsTheOldAuthorityBesideANewOne(Cluster cluster) throws Exception {
        String usual = bundle(cluster);

        assertThat(run(cluster)).contains("Made a new pair");
        Secret first = secret(cluster);
        assertThat(first.getType()).isEqualTo("kubernetes.io/tls");
        assertThat(first.getData())
                .containsOnlyKeys("ca.crt", "tls.crt", "tls.key", "peers-ca.crt", "peers-tls.crt", "peers-tls.key");
        assertThat(bundle(cluster)).startsWith(text(first, "ca.crt").strip()).contains(usual.strip());

        assertThat(run(cluster)).contains("Kept the pair", "expires");
        assertThat(secret(cluster).getData()).isEqualTo(first.getData());

        assertThat(run(cluster, "--force")).contains("Made a new pair");
        assertThat(secret(cluster).getData())
                .as("replicas with the new pair and with the old one trust each other")
                .containsEntry("peers-ca.crt", first.getData().get("peers-ca.crt"))
                .doesNotContainValue(first.getData().get("tls.key"))
                .doesNotContainValue(first.getData().get("peers-tls.key"));
        assertThat(bundle(cluster))
                .startsWith(text(secret(cluster), "ca.crt").strip())
                .contains(text(first, "ca.crt").strip())
                .contains(usual.strip());
    }

    @Test
    void writesFilesByTheRulesOfTheCommand(Cluster cluster) throws Exception {
        Path directory = cluster.plane().scratch("pair").resolve("certs");
        var _ = run(cluster, "--files", directory.toString(), "--name", "localhost");
        Path key = directory.resolve("tls.key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        String before = Files.readString(key);

        Command.Ended refused =
                command(cluster, "--files", directory.toString()).run();
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.complaint()).contains("add --force");
        assertThat(key).hasContent(before);

        var _ = run(cluster, "--files", directory.toString(), "--force");
        assertThat(Files.readString(key)).isNotEqualTo(before);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
    }

    /**
     * The Secret first lacks the files of replicas, like one of a version in which replicas did not know each other.
     */
    @Test
    void addsWhatReplicasShowEachOtherToAPairThatIsGood(Cluster cluster) throws Exception {
        assertThat(run(cluster)).contains("Made a new pair");
        Map<String, String> first = secret(cluster).getData();
        var _ = cluster.client()
                .secrets()
                .inNamespace(Account.NAMESPACE)
                .withName("gpu-webhook-certs")
                .edit(found -> {
                    found.getData().keySet().removeIf(key -> key.startsWith("peers-"));
                    return found;
                });

        assertThat(run(cluster)).contains("Kept the pair");
        assertThat(secret(cluster).getData())
                .containsEntry("tls.key", first.get("tls.key"))
                .containsKeys("peers-ca.crt", "peers-tls.crt", "peers-tls.key");
    }

    /** Only replicas keep the key of the authority in this Secret. */
    @ParameterizedTest
    @ValueSource(strings = {"--force", "--days=365"})
    void leavesASecretAloneThatTheReplicasRenew(String option, Cluster cluster) {
        assertThat(run(cluster)).contains("Made a new pair");
        var _ = cluster.client()
                .secrets()
                .inNamespace(Account.NAMESPACE)
                .withName("gpu-webhook-certs")
                .edit(found -> {
                    found.getData().put("ca.key", "a2V5");
                    return found;
                });
        Map<String, String> before = secret(cluster).getData();

        Command.Ended refused = command(cluster, option.split("=")).run();

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.complaint())
                .contains("self-managed", "kubectl -n gpu-webhook delete secret gpu-webhook-certs");
        assertThat(secret(cluster).getData()).isEqualTo(before);
        var _ = cluster.client()
                .secrets()
                .inNamespace(Account.NAMESPACE)
                .withName("gpu-webhook-certs")
                .delete();
    }

    private static String run(Cluster cluster, String... options) {
        return command(cluster, options).output();
    }

    private static Command command(Cluster cluster, String... options) {
        return Command.in(
                        Path.of("."),
                        Stream.concat(Stream.of(SCRIPT), Stream.of(options)).toList())
                .with("KUBECONFIG", cluster.plane().kubeconfig().toString());
    }

    private static Secret secret(Cluster cluster) {
        return Objects.requireNonNull(cluster.client()
                .secrets()
                .inNamespace(Account.NAMESPACE)
                .withName("gpu-webhook-certs")
                .get());
    }

    private static String bundle(Cluster cluster) {
        return Optional.ofNullable(cluster.client()
                        .resources(MutatingWebhookConfiguration.class)
                        .withName(Registration.NAME)
                        .get())
                .map(found -> found.getWebhooks().getFirst().getClientConfig().getCaBundle())
                .map(MakeCertsIT::decoded)
                .orElseThrow();
    }

    private static String text(Secret secret, String file) {
        return decoded(Objects.requireNonNull(secret.getData().get(file)));
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), UTF_8);
    }
}
