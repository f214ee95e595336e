package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.tls.CertificateAuthority;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command {@code console} without {@code --url}, before a gateway that wants tokens: it forwards a port through the
 * API server and a kubelet, with the token of the kubeconfig.
 */
@AgainstControlPlane
@WithChromium
class ForwardedConsoleIT {

    private static final String NODE = "forwarding";

    private static final String READER = "console-reader";

    /** A merge has no version, so that the controllers, which write these objects too, cannot make it fail. */
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    /** Everything that the reader of the console may do in the cluster is in these two files. */
    private static final Path DOCUMENT = Path.of("src/docs/tenants.md");

    private static final Path READERS = Path.of("k8s/components/secure-management/rbac.yaml");

    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    private static final String FIRST = "gateway-a";
    private static final String SECOND = "gateway-b";

    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
    private final int webhook = Ports.free();
    private final int port = Ports.free();

    @TempDir
    private Path directory;

    @Test
    void theCommandSignsInWithTheKubeconfigAndFollowsTheGatewayToAnotherPod(Cluster cluster) throws Exception {
        ClusterRoleBinding binding = TenantIT.trusted(cluster);
        Role role = documented(cluster);
        List<HasMetadata> ofReader = reader(cluster, role);
        MutatingWebhookConfiguration registered =
                cluster.client().resource(registration(cluster.namespace())).create();
        Daemon gateway = TenantIT.start(cluster, authority, webhook, port);
        Path file = Files.writeString(directory.resolve("ca.crt"), authority.certificatePem());
        Daemon console = console(cluster, READER, "--ca-file", file.toString());
        Daemon byWebhook = console(cluster, TenantIT.GATEWAY);
        try (ForwardingKubelet kubelet = new ForwardingKubelet(authority);
                Browser browser = new Browser(directory);
                HttpClient client =
                        HttpClient.newBuilder().sslContext(Trust.in(authority)).build()) {
            node(cluster, kubelet.port());
            runPod(cluster, kubelet, FIRST);
            decided(client, cluster.namespace(), "before");
            saysWhichRightIsMissing(cluster, role, directory);
            console.start();
            browser.open(address(console));
            browser.until("the page is live", "document.querySelector('.connection.live')");
            assertThat(browser.value("document.querySelectorAll('.sign-in').length")
                            .asInt())
                    .isZero();
            assertThat(kubelet.forwarded(FIRST)).isPositive();

            runPod(cluster, kubelet, SECOND);
            cluster.delete(cluster.namespace(), FIRST);
            kubelet.end(FIRST);

            Browser.await("the other pod is asked", () -> kubelet.forwarded(SECOND) > 0);
            browser.until("the page is live again", "document.querySelector('.connection.live')");
            decided(client, cluster.namespace(), "after");
            var _ = browser.value("location.hash = '/decisions'");
            browser.until(
                    "each decision is shown once",
                    "[...document.querySelectorAll('tbody .pod')].map(pod => pod.innerText.split('/')[1]).join() === 'after,before'");
            assertThat(Files.readString(console.log())).doesNotContain("eyJ");

            // Somebody who may read the webhook gets the authority from it, and names no file.
            byWebhook.start();
            browser.open(address(byWebhook));
            browser.until("the page is live", "document.querySelector('.connection.live')");
        } finally {
            byWebhook.kill();
            console.kill();
            gateway.kill();
            var _ = cluster.client().resource(registered).delete();
            var _ = cluster.client().resource(binding).delete();
            ofReader.forEach(each -> cluster.client().resource(each).delete());
        }
    }

    /** The Role that the document shows to those who use the command. */
    private static Role documented(Cluster cluster) throws IOException {
        Role role = YAML.matcher(Files.readString(DOCUMENT))
                .results()
                .map(block -> block.group(1))
                .filter(block -> block.contains("kind: Role\n"))
                .map(block -> Serialization.unmarshal(block, Role.class))
                .findFirst()
                .orElseThrow();
        role.getMetadata().setNamespace(cluster.namespace());
        return role;
    }

    /** Creates an account with that Role, which may also read everything that the gateway shows. */
    private static List<HasMetadata> reader(Cluster cluster, Role role) throws IOException {
        Account.create(cluster, cluster.namespace(), READER);
        var _ = cluster.client()
                .resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName(READER)
                        .withNamespace(cluster.namespace())
                        .endMetadata()
                        .withNewRoleRef(
                                "rbac.authorization.k8s.io",
                                "Role",
                                role.getMetadata().getName())
                        .addNewSubject("", "ServiceAccount", READER, cluster.namespace())
                        .build())
                .create();
        ClusterRole readers = Stream.of(Files.readString(READERS).split("(?m)^---$"))
                .filter(document -> document.contains("nonResourceURLs"))
                .map(document -> Serialization.unmarshal(document, ClusterRole.class))
                .findFirst()
                .orElseThrow();
        List<HasMetadata> made = List.of(
                readers,
                new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(READER)
                        .endMetadata()
                        .withNewRoleRef(
                                "rbac.authorization.k8s.io",
                                "ClusterRole",
                                readers.getMetadata().getName())
                        .addNewSubject("", "ServiceAccount", READER, cluster.namespace())
                        .build());
        made.forEach(each -> cluster.client().resource(each).create());
        return made;
    }

    /**
     * Grants the Role without each verb in turn, and then as it is. At no time before that are both verbs granted,
     * because a command that may forward does not end.
     */
    private static void saysWhichRightIsMissing(Cluster cluster, Role role, Path directory) throws IOException {
        for (String missing : List.of("get", "create")) {
            grant(
                    cluster,
                    new RoleBuilder(role)
                            .editMatchingRule(rule -> rule.getResources().contains("pods/portforward"))
                            .removeFromVerbs(missing)
                            .endRule()
                            .build());
            Command command = Command.in(directory, command(cluster, READER, "--ca-file", "ca.crt"))
                    .with("SLUICE_JAVA_HOME", System.getProperty("java.home"));
            Eventually.holds("the command says that the verb " + missing + " is missing", () -> {
                Command.Ended refused = command.run();
                assertThat(refused.code()).isEqualTo(2);
                return refused.complaint()
                        .contains(
                                "no gateway can be reached: the API server does not let you forward a port to its pod,"
                                        + " because you may not " + missing + " pods/portforward in the namespace "
                                        + cluster.namespace() + "\n");
            });
        }
        grant(cluster, role);
    }

    private static void grant(Cluster cluster, Role role) {
        var _ = cluster.client().resource(role).createOr(NonDeletingOperation::update);
    }

    private static List<String> command(Cluster cluster, String account, String... more) throws IOException {
        return Stream.concat(
                        Stream.of(
                                Gateway.LAUNCHER.toString(),
                                "console",
                                "--no-browser",
                                "--kubeconfig",
                                Account.of(cluster.plane(), cluster.namespace(), account)
                                        .kubeconfig(),
                                "--gateway-namespace",
                                cluster.namespace()),
                        Stream.of(more))
                .toList();
    }

    private static Daemon console(Cluster cluster, String account, String... more) throws IOException {
        return cluster.plane()
                .daemon(
                        "console-of-" + account,
                        command(cluster, account, more),
                        Map.of("SLUICE_JAVA_HOME", System.getProperty("java.home")));
    }

    /** Returns the address that the command prints. */
    private static String address(Daemon console) throws Exception {
        Eventually.within(
                Duration.ofMinutes(1),
                "the command prints its address",
                () -> console.runs() && line(console).isPresent());
        return line(console).orElseThrow();
    }

    private static Optional<String> line(Daemon console) throws Exception {
        return Files.readAllLines(console.log()).stream()
                .filter(line -> line.startsWith("http://127.0.0.1:"))
                .findFirst();
    }

    /** A webhook that is asked about nothing. */
    private MutatingWebhookConfiguration registration(String namespace) {
        return new MutatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName("forwarded-console")
                .endMetadata()
                .addNewWebhook()
                .withName("gpu-allocation.k8s.io")
                .withSideEffects("None")
                .withAdmissionReviewVersions("v1")
                .withNewClientConfig()
                .withCaBundle(Base64.getEncoder()
                        .encodeToString(authority.certificatePem().getBytes(StandardCharsets.US_ASCII)))
                .withNewService()
                .withName("gpu-webhook")
                .withNamespace(namespace)
                .endService()
                .endClientConfig()
                .endWebhook()
                .build();
    }

    /** The node is ready from the beginning, because KWOK gives the nodes that it makes ready an address of its own. */
    private static void node(Cluster cluster, int kubeletPort) {
        var _ = cluster.client()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(NODE)
                        .endMetadata()
                        .withNewStatus()
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .addNewAddress("127.0.0.1", "InternalIP")
                        .withNewDaemonEndpoints()
                        .withNewKubeletEndpoint(kubeletPort)
                        .endDaemonEndpoints()
                        .endStatus()
                        .build())
                .create();
    }

    /** Runs a pod of the gateway, which is the one process, and makes it ready. */
    private void runPod(Cluster cluster, ForwardingKubelet kubelet, String name) throws Exception {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("app", "gpu-webhook")
                .endMetadata()
                .withNewSpec()
                .withNodeName(NODE)
                .addNewContainer()
                .withName("gateway")
                .withImage("sluice")
                .addNewPort()
                .withName("management")
                .withContainerPort(port)
                .endPort()
                .withNewReadinessProbe()
                .withNewHttpGet()
                .withPath("/readyz")
                .withScheme("HTTPS")
                .withPort(new IntOrString("management"))
                .endHttpGet()
                .endReadinessProbe()
                .endContainer()
                .endSpec()
                .build();
        assertThat(cluster.create(pod).status()).isEqualTo(201);
        kubelet.run(name, port);
        var _ = cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withName(name)
                .subresource("status")
                .patch(MERGE, """
                        {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}
                        """);
    }

    private void decided(HttpClient client, String namespace, String name) {
        Eventually.holds(
                "a pod is decided about",
                () -> client.send(TenantIT.review(webhook, namespace, name).build(), BodyHandlers.ofString())
                                .statusCode()
                        == 200);
    }
}
