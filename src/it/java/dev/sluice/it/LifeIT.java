package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Installing, changing and removing the manifests and the chart by the commands of {@code src/docs/install.md} and
 * {@code src/docs/migrate.md}, in a cluster of their own. No pod runs here: other tests show what the gateway does
 * meanwhile.
 */
@AgainstControlPlane
class LifeIT {

    private static final String INSTALL = read(Path.of("src", "docs", "install.md"));
    private static final String MIGRATE = read(Path.of("src", "docs", "migrate.md"));
    private static final Pattern SAYS_WHAT_IS_THERE =
            Pattern.compile("kubectl (.* get deployment .*) \\| kubectl (.*)");
    private static final String CONFIGURATION = "gpu-allocation-webhook";
    private static final String NAMES =
            "{.spec.template.spec.containers[*].name} {.spec.template.spec.volumes[*].name}";

    /** All kinds that the manifests have. */
    private static final String KINDS = "configmaps,deployments,mutatingwebhookconfigurations,networkpolicies,"
            + "poddisruptionbudgets,priorityclasses,roles,rolebindings,clusterroles,clusterrolebindings,services,"
            + "serviceaccounts,validatingadmissionpolicies,validatingadmissionpolicybindings";

    @SuppressWarnings("NullAway.Init") // JUnit calls thereIsAnEmptyCluster first
    private static ControlPlane plane;

    @BeforeAll
    static void thereIsAnEmptyCluster() throws Exception {
        plane = ControlPlane.named("life");
    }

    @AfterAll
    static void theClusterEnds() throws Exception {
        plane.stop();
    }

    @AfterEach
    void nothingIsLeft() {
        var _ = plane.kubectl("delete", "namespace", "gpu-webhook", "--ignore-not-found")
                .output();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kind and name of everything that bears the label of the gateway; the hash of a configuration is left out. */
    private static SortedSet<String> ours() {
        String names = plane.kubectl("get", KINDS, "--all-namespaces", "-l", "app=gpu-webhook", "-o", "name")
                .output();
        return new TreeSet<>(names.lines()
                .map(name -> name.replaceAll("(configmap/gpu-webhook-config)-.*", "$1"))
                .toList());
    }

    private static void apply(String overlay) {
        var _ = plane.kubectl("apply", "-k", "k8s/overlays/" + overlay).output();
    }

    /** Runs the commands of the block of the document below this heading, for another overlay than the one it shows. */
    private static void run(String heading, String overlay) {
        Matcher block = Pattern.compile("## " + Pattern.quote(heading) + "\\n.*?```\\n(.*?)```", Pattern.DOTALL)
                .matcher(INSTALL);
        assertThat(block.find()).as("install.md has commands under " + heading).isTrue();
        for (String line : block.group(1).replace("\\\n", " ").lines().toList()) {
            List<String> words = Stream.of(line.strip().split("\\s+"))
                    .map(word -> word.equals("k8s/overlays/self-managed") ? "k8s/overlays/" + overlay : word)
                    .toList();
            assertThat(words.getFirst()).isEqualTo("kubectl");
            var _ = plane.kubectl(words.subList(1, words.size()).toArray(String[]::new))
                    .output();
        }
    }

    @Test
    void whatAnOverlayNoLongerHasIsGoneAfterTheSwitchAndNothingIsLeftInTheEnd() {
        apply("availability");
        SortedSet<String> availability = ours();
        run("Remove it", "availability");
        assertThat(ours()).isEmpty();

        apply("script-certs");
        SortedSet<String> first = ours();
        assertThat(first).contains("poddisruptionbudget.policy/gpu-webhook").isNotEqualTo(availability);
        run("Change from one overlay to another", "availability");
        assertThat(ours()).isEqualTo(availability);
        run("Change from one overlay to another", "script-certs");
        assertThat(ours()).isEqualTo(first);
        run("Change from one overlay to another", "self-managed");
        run("Change from one overlay to another", "script-certs");
        assertThat(ours()).isEqualTo(first);

        run("Remove it", "script-certs");
        assertThat(ours()).isEmpty();
    }

    /** A merge patch by {@code kubectl apply} takes away only what an earlier apply has written. */
    @Test
    void nothingOfAFormerDeploymentStaysBesideWhatTakesItsPlace() {
        var _ = plane.kubectl("create", "-f", "-").reading("""
            apiVersion: v1
            kind: Namespace
            metadata: {name: gpu-webhook}
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: gpu-webhook, namespace: gpu-webhook}
            spec:
              selector: {matchLabels: {app: gpu-webhook}}
              template:
                metadata: {labels: {app: gpu-webhook}}
                spec:
                  containers:
                    - {name: webhook, image: former, volumeMounts: [{name: certs, mountPath: /etc/webhook/certs}]}
                  volumes: [{name: certs, secret: {secretName: gpu-webhook-certs}}]
            """).output();

        Matcher command = SAYS_WHAT_IS_THERE.matcher(MIGRATE);
        assertThat(command.find()).as("migrate.md tells kubectl what is there").isTrue();
        String former = plane.kubectl(command.group(1).split(" ", -1)).output();
        var _ = plane.kubectl(command.group(2).split(" ", -1)).reading(former).output();
        apply("self-managed");

        assertThat(plane.kubectl("-n", "gpu-webhook", "get", "deployment", "gpu-webhook", "-o", "jsonpath=" + NAMES)
                        .output())
                .isEqualTo("gateway config tmp");
        run("Remove it", "self-managed");
        assertThat(ours()).isEmpty();
    }

    @Test
    void aReleaseOfHelmIsInstalledUpgradedRolledBackAndRemoved() {
        helm("install", "gpu-webhook", "k8s/chart", "--create-namespace");
        SortedSet<String> first = ours();
        assertThat(first)
                .contains(
                        "poddisruptionbudget.policy/gpu-webhook",
                        "role.rbac.authorization.k8s.io/gpu-webhook-certificates");
        String bundle = Base64.getEncoder().encodeToString(authority().getBytes(UTF_8));
        var _ = plane.kubectl(
                        "patch",
                        "mutatingwebhookconfiguration",
                        CONFIGURATION,
                        "--type=json",
                        "-p",
                        "[{\"op\": \"add\", \"path\": \"/webhooks/0/clientConfig/caBundle\", \"value\": \"" + bundle
                                + "\"}]")
                .output();

        helm("upgrade", "gpu-webhook", "k8s/chart", "--set", "config.policy.mode=availability,failurePolicy=Fail");
        assertThat(ours())
                .contains("role.rbac.authorization.k8s.io/gpu-webhook", "poddisruptionbudget.policy/gpu-webhook");
        assertThat(webhook("{.webhooks[0].failurePolicy} {.webhooks[0].clientConfig.caBundle}"))
                .as("an upgrade leaves the caBundle alone")
                .isEqualTo("Fail " + bundle);

        helm("rollback", "gpu-webhook", "1");
        assertThat(ours()).isEqualTo(first);
        assertThat(webhook("{.webhooks[0].failurePolicy} {.webhooks[0].clientConfig.caBundle}"))
                .isEqualTo("Ignore " + bundle);

        helm("uninstall", "gpu-webhook");
        assertThat(ours()).isEmpty();
    }

    private static String authority() {
        return CertificateAuthority.create(Instant.now(), Duration.ofDays(1)).certificatePem();
    }

    private static String webhook(String path) {
        return plane.kubectl("get", "mutatingwebhookconfiguration", CONFIGURATION, "-o", "jsonpath=" + path)
                .output();
    }

    private static void helm(String... words) {
        var _ = Command.in(
                        Path.of("."),
                        Stream.concat(
                                        Stream.of(
                                                Programs.helm().toString(),
                                                "--kubeconfig",
                                                plane.kubeconfig().toString(),
                                                "--namespace",
                                                "gpu-webhook"),
                                        Stream.of(words))
                                .toList())
                .output();
    }
}
