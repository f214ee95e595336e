package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cli.SluiceCommand;
import dev.sluice.tls.CertificateAuthority;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The packaged {@code sluice status}, with a control plane that calls the packaged gateway. */
@AgainstControlPlane
class StatusIT {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static Command.Ended status(Path kubeconfig, String... options) {
        return Command.in(
                        Path.of("."),
                        Stream.concat(
                                        Stream.of(
                                                Gateway.LAUNCHER.toString(),
                                                "status",
                                                "--kubeconfig",
                                                kubeconfig.toString()),
                                        Stream.of(options))
                                .toList())
                .run();
    }

    private static JsonNode json(Command.Ended run) throws Exception {
        return JSON.readTree(run.output());
    }

    /** Returns the checks of a subject, each as its result and its evidence. */
    private static List<String> checks(JsonNode report, String subject) {
        List<String> found = new ArrayList<>();
        for (JsonNode check : report.path("checks")) {
            if (check.path("check").asText().equals(subject)) {
                found.add(check.path("result").asText() + " "
                        + check.path("evidence").asText());
            }
        }
        return found;
    }

    private static String url(Gateway gateway) {
        return "http://127.0.0.1:" + gateway.managementPort();
    }

    @Test
    void provesThatAGatewayDecides(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of("nvidia.com/gpu", "4"));
        int before = cluster.client().pods().inAnyNamespace().list().getItems().size();
        Command.Ended run = status(cluster.plane().kubeconfig(), "--url", url(cluster.gateway()), "-o", "json");
        JsonNode report = json(run);

        assertThat(run.code()).as(run.output() + run.complaint()).isZero();
        assertThat(report.path("proved").asBoolean()).isTrue();
        assertThat(report.path("result").asText()).isEqualTo("ok");
        assertThat(checks(report, "registration")).singleElement().asString().contains("failurePolicy Ignore");
        assertThat(checks(report, "pods")).singleElement().asString().contains("nvidia.com/mig-*", "mirror pods");
        assertThat(checks(report, "namespaces"))
                .singleElement()
                .asString()
                .contains("without the label gpu-webhook=disabled", "except gpu-webhook, kube-system");
        assertThat(checks(report, "trust"))
                .singleElement()
                .asString()
                .startsWith("ok the API server has just called the gateway")
                .contains("the caBundle verifies the chain of " + url(cluster.gateway()));
        assertThat(checks(report, "rights")).singleElement().asString().startsWith("ok ");
        assertThat(cluster.client().pods().inAnyNamespace().list().getItems()).hasSize(before);
        String table = status(cluster.plane().kubeconfig(), "--url", url(cluster.gateway()))
                .output();
        assertThat(table).contains("OK       probe").doesNotContain("\u001b");
        assertThat(table.lines()).allMatch(line -> line.length() <= 120);
    }

    @Test
    void provesNothingWithoutAGateway(Cluster cluster) throws Exception {
        cluster.gateway().stop();
        try {
            Command.Ended run = status(cluster.plane().kubeconfig(), "-n", cluster.namespace(), "-o", "json");

            // Without the records of a replica nobody can tell this from a gateway that only observes.
            assertThat(run.code()).as(run.output() + run.complaint()).isEqualTo(2);
            assertThat(checks(json(run), "probe"))
                    .singleElement()
                    .asString()
                    .startsWith("unknown namespace " + cluster.namespace() + ": the pod came back without a sign");
            assertThat(run.output()).doesNotContain("accepted its certificate").contains("\"proved\" : false");
        } finally {
            cluster.gateway().start();
        }
    }

    @Test
    void failsIfTheCaBundleIsThatOfAnotherAuthority(Cluster cluster) throws Exception {
        Gateway gateway = cluster.gateway();
        CertificateAuthority stranger = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
        register(cluster, stranger.certificatePem().getBytes(UTF_8), "Fail");
        try {
            // The API server keeps the connection that it has trusted before, so it has to be closed.
            gateway.restart();
            JsonNode report = reportAfter(cluster, "failed calling webhook", "--url", url(gateway));

            assertThat(checks(report, "trust"))
                    .singleElement()
                    .asString()
                    .startsWith("fail the API server refuses what " + url(gateway))
                    .contains("no authority in the caBundle has signed it");
            assertThat(checks(reportAfter(cluster, "failed calling webhook"), "trust"))
                    .singleElement()
                    .asString()
                    .startsWith("fail the API server refuses the certificate: ")
                    .contains("x509");
        } finally {
            register(cluster, gateway.caBundle(), "Ignore");
            awaitProbe(cluster, "decided: ");
        }
    }

    @Test
    void theRecordOfAGatewayThatOnlyObservesIsTheProof(Cluster cluster) throws Exception {
        Path policy = Files.writeString(
                cluster.plane().scratch("status-observing-policy").resolve("policy.yaml"),
                "policy: {enforcement: observe}");
        Gateway observing =
                new Gateway(cluster.plane(), "status-observing", Account.byKubeconfig(cluster.plane()), policy).ready();
        registerAt(cluster, observing.url(), observing.caBundle(), "Ignore");
        try {
            JsonNode report = reportAfter(cluster, "has recorded a decision", "--url", url(observing));

            assertThat(report.path("proved").asBoolean()).isTrue();
            assertThat(checks(report, "policy")).singleElement().asString().contains("it observes");
        } finally {
            register(cluster, cluster.gateway().caBundle(), "Ignore");
            observing.stop();
            awaitProbe(cluster, "decided: ");
        }
    }

    private static void register(Cluster cluster, byte[] caBundle, String failurePolicy) {
        registerAt(cluster, cluster.gateway().url(), caBundle, failurePolicy);
    }

    private static void registerAt(Cluster cluster, String url, byte[] caBundle, String failurePolicy) {
        var _ = cluster.client()
                .resources(MutatingWebhookConfiguration.class)
                .withName(Registration.NAME)
                .edit(found -> {
                    found.getWebhooks().forEach(webhook -> {
                        webhook.getClientConfig().setUrl(url);
                        webhook.getClientConfig()
                                .setCaBundle(Base64.getEncoder().encodeToString(caBundle));
                        webhook.setFailurePolicy(failurePolicy);
                    });
                    return found;
                });
    }

    /**
     * Waits until the API server has noticed a change. The command runs in this process again and again, because a
     * process of its own needs seconds to start.
     */
    private static void awaitProbe(Cluster cluster, String text, String... options) {
        String[] words = words(
                cluster,
                Stream.concat(
                        Stream.of(
                                "status",
                                "--kubeconfig",
                                cluster.plane().kubeconfig().toString()),
                        Stream.of(options)));
        Eventually.holds(
                "the probe says " + text,
                () -> checks(JSON.readTree(outputInThisProcess(words)), "probe")
                        .getFirst()
                        .contains(text));
    }

    private static String outputInThisProcess(String... words) {
        StringWriter out = new StringWriter();
        CommandLine command =
                SluiceCommand.with().setOut(new PrintWriter(out)).setErr(new PrintWriter(Writer.nullWriter()));
        command.execute(words);
        command.getOut().flush();
        return out.toString();
    }

    private static String[] words(Cluster cluster, Stream<String> words) {
        return Stream.concat(words, Stream.of("-n", cluster.namespace(), "-o", "json"))
                .toArray(String[]::new);
    }

    /** Returns the report of the packaged command when the API server has noticed a change. */
    private static JsonNode reportAfter(Cluster cluster, String text, String... options) throws Exception {
        awaitProbe(cluster, text, options);
        JsonNode report = json(status(cluster.plane().kubeconfig(), words(cluster, Stream.of(options))));
        assertThat(checks(report, "probe")).singleElement().asString().contains(text);
        return report;
    }

    @Test
    void namesARightThatTheConfigurationNeeds(Cluster cluster) throws Exception {
        String name = "status-without-pods";
        Account.create(cluster, cluster.namespace(), name);
        ClusterRoleBinding binding = cluster.client()
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "gpu-webhook")
                        .addNewSubject("", "ServiceAccount", name, cluster.namespace())
                        .build())
                .create();
        Gateway gateway = new Gateway(
                cluster.plane(),
                name,
                Account.of(cluster.plane(), cluster.namespace(), name).announcingIn(name),
                Gateway.SHIPPED_POLICY);
        try {
            Command.Ended run = status(cluster.plane().kubeconfig(), "--url", url(gateway.ready()), "-o", "json");

            assertThat(run.code()).as(run.output()).isEqualTo(1);
            assertThat(checks(json(run), "rights"))
                    .singleElement()
                    .asString()
                    .startsWith("fail the gateway's account may not list pods (kubernetes.events: true), watch pods");
            assertThat(gateway.log())
                    .contains("the account of this gateway lacks a right that the configuration needs")
                    .contains("list pods, for kubernetes.events: true; k8s/components/capacity grants it");
        } finally {
            gateway.stop();
            var _ = cluster.client().resource(binding).delete();
        }
    }

    @Test
    void aQuotaThatRefusesTheProbeIsNoFailure(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of("nvidia.com/gpu", "4"));
        var _ = cluster.client()
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace(cluster.namespace())
                        .withName("none")
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("requests.nvidia.com/gpu", new Quantity("0"))
                        .endSpec()
                        .build())
                .create();
        JsonNode report = reportAfter(cluster, "for another reason (pods \"sluice-status-probe");
        assertThat(report.path("proved").asBoolean()).isTrue();
    }

    /** The chart's test has an account with few rights, and reads the replicas through the API server. */
    @Test
    void theAccountOfTheChartsTestReadsTwoReplicas(Cluster cluster) throws Exception {
        KubernetesClient client = cluster.client();
        Gateway second = new Gateway(
                        cluster.plane(), "status-second", Account.byKubeconfig(cluster.plane()), Gateway.SHIPPED_POLICY)
                .ready();
        List<HasMetadata> granted = granted(client);
        try (ProxiedReplica _ = new ProxiedReplica(client, "gpu-webhook-one", cluster.gateway())) {
            Path kubeconfig = Path.of(Account.of(cluster.plane(), Account.NAMESPACE, "gpu-webhook-test")
                    .kubeconfig());
            Command.Ended healthy = status(kubeconfig, "-n", "default", "--installed-in", "gpu-webhook");
            assertThat(healthy.code())
                    .as(healthy.output() + healthy.complaint())
                    .isZero();
            assertThat(healthy.output())
                    .contains("OK       replica       gpu-webhook-one answers, is ready")
                    .doesNotContain("UNKNOWN", "WARN", "FAIL");

            try (ProxiedReplica _ = new ProxiedReplica(client, "gpu-webhook-two", second)) {
                JsonNode report =
                        json(status(kubeconfig, "-n", "default", "--installed-in", "gpu-webhook", "-o", "json"));
                assertThat(checks(report, "replicas"))
                        .containsExactly("ok 2 of 2 pods in namespace gpu-webhook are ready");
                assertThat(checks(report, "replica"))
                        .hasSize(2)
                        .allMatch(check -> check.startsWith("ok gpu-webhook-") && check.contains(" answers, is ready"));
                assertThat(checks(report, "policy")).singleElement().asString().startsWith("ok ");
                // The webhook calls the first one only, so the caBundle is of the authority of that one.
                assertThat(checks(report, "trust"))
                        .containsExactly("fail the API server refuses what gpu-webhook-two serves: no authority in the"
                                + " caBundle has signed it");
            }
        } finally {
            second.stop();
            granted.forEach(object -> {
                var _ = client.resource(object).delete();
            });
        }
    }

    /** Creates what the chart's test is granted, but for its pod. */
    private static List<HasMetadata> granted(KubernetesClient client) {
        String rendered = Command.in(
                        Path.of("."),
                        Programs.helm().toString(),
                        "template",
                        "gpu-webhook",
                        "k8s/chart",
                        "--namespace",
                        "gpu-webhook",
                        "--show-only",
                        "templates/tests/status.yaml")
                .output();
        List<HasMetadata> granted = client.load(new ByteArrayInputStream(rendered.getBytes(UTF_8))).items().stream()
                .filter(object -> !(object instanceof Pod))
                .toList();
        assertThat(granted).hasSize(7);
        granted.forEach(object -> {
            var _ = client.resource(object).create();
        });
        return granted;
    }

    @Test
    void aUserWithoutRightsIsToldWhatIsUnknown(Cluster cluster) throws Exception {
        Account.create(cluster, cluster.namespace(), "nobody");
        Account nobody = Account.of(cluster.plane(), cluster.namespace(), "nobody");
        Command.Ended run = status(Path.of(nobody.kubeconfig()));

        assertThat(run.code()).as(run.output() + run.complaint()).isEqualTo(2);
        assertThat(run.output())
                .contains(
                        "UNKNOWN  registration  you may not list mutatingwebhookconfigurations",
                        "UNKNOWN  probe         namespace default: you may not create pods in namespace default",
                        "UNKNOWN  replicas      you may not list pods in namespace gpu-webhook",
                        "It is NOT proved that the gateway decides about pods.");
    }
}
