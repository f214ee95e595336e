package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged {@code sluice explain} with a control plane that calls the packaged gateway. */
@AgainstControlPlane
class ExplainIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String ASKED = "nvidia.com/mig-3g.40gb";
    private static final String OFFERED = "nvidia.com/mig-1g.10gb";

    @TempDir
    private Path directory;

    private Command.Ended explain(Path kubeconfig, Pod pod, String... options) throws IOException {
        Path file = Files.writeString(directory.resolve("pod.yaml"), Serialization.asYaml(pod));
        return Command.in(
                        Path.of("."),
                        Stream.concat(
                                        Stream.of(
                                                Gateway.LAUNCHER.toString(),
                                                "explain",
                                                file.toString(),
                                                "--kubeconfig",
                                                kubeconfig.toString()),
                                        Stream.of(options))
                                .toList())
                .run();
    }

    private static JsonNode json(Command.Ended run) throws IOException {
        assertThat(run.output()).as(run.complaint()).startsWith("{");
        return JSON.readTree(run.output());
    }

    @Test
    void theGatewayIsAskedThroughTheProxyOfTheApiServer(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(OFFERED, "4"));
        Pod pod = Pods.asking("train", ASKED);
        cluster.awaitDecision(pod, OFFERED, PATIENCE);
        Path admin = cluster.plane().kubeconfig();
        try (ProxiedReplica _ = new ProxiedReplica(cluster.client(), "gpu-webhook-asked", cluster.gateway())) {
            Command.Ended asked = explain(admin, pod, "-n", cluster.namespace(), "-o", "json");

            assertThat(asked.complaint()).isEmpty();
            JsonNode answer = json(asked);
            assertThat(answer.path("policy").asText()).isEqualTo("gateway");
            assertThat(answer.at("/gateway/snapshotGeneration").asLong()).isPositive();
            assertThat(answer.at("/pods/0/decision").asText()).isEqualTo("changed");
            assertThat(answer.at("/pods/0/namespace").asText()).isEqualTo(cluster.namespace());
            assertThat(answer.toString()).doesNotContain("notAsked").doesNotContain("notes");
            assertThat(explain(admin, pod).output()).contains("Policy: that of the running gateway, generation ");

            // The right to list pods is not enough for the proxy.
            try (ReadingAccount reader = ReadingAccount.of(cluster, List.of("nodes", "pods"))) {
                assertThat(explain(reader.kubeconfig(), pod).complaint())
                        .contains(
                                "The running gateway was not asked: it cannot be asked through the API server: the API"
                                        + " server answered 403 ");
            }
        }
    }

    @Test
    void withoutAGatewayThePolicyIsThatOfTheConfigMap(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(OFFERED, "4"));
        Pod pod = Pods.asking("train", ASKED);

        Command.Ended byAdmin = explain(cluster.plane().kubeconfig(), pod);
        assertThat(byAdmin.output())
                .contains("changed: 3g.40gb->1g.10gb")
                .containsPattern("\nPolicy: ConfigMap gpu-webhook/gpu-webhook-config-[a-z0-9]+\n");
        assertThat(byAdmin.complaint())
                .contains("no pod with the label app=gpu-webhook is ready")
                .hasLineCount(1);

        try (ReadingAccount reader = ReadingAccount.of(cluster, List.of("nodes"))) {
            Command.Ended byReader = explain(reader.kubeconfig(), pod);
            assertThat(byReader.complaint())
                    .contains(
                            "The running gateway was not asked: its pods cannot be listed: the API server answered 403 ")
                    .contains(
                            "The policy of the gateway in the cluster was not read: you may not list pods in namespace"
                                    + " gpu-webhook");
            assertThat(byReader.output().replaceAll("\\s+", " "))
                    .containsPattern("Policy: .*conf/gateway.yaml $")
                    .containsOnlyOnce("It is not known whether the API server asks Sluice about these pods: you may not"
                            + " list mutatingwebhookconfigurations.");
        }
    }

    /** Each way to leave out a pod is tried with a dry run, and explain must say the same. */
    @Test
    void saysOfAPodThatIsLeftOutWhatTheApiServerDoes(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(OFFERED, "4"));
        Pod plain = Pods.asking("train", ASKED);
        Pod labelled = Pods.asking("train", ASKED);
        labelled.getMetadata().setLabels(Map.of("gpu", "yes"));
        cluster.awaitDecision(plain, OFFERED, PATIENCE);
        LabelSelector wanted =
                new LabelSelectorBuilder().addToMatchLabels("gpu", "yes").build();
        List<Consumer<MutatingWebhook>> changes = List.of(
                webhook -> webhook.setObjectSelector(wanted),
                webhook -> webhook.setNamespaceSelector(wanted),
                webhook -> webhook.getRules().getFirst().setScope("Cluster"),
                webhook -> webhook.getMatchConditions()
                        .getFirst()
                        .setExpression(webhook.getMatchConditions()
                                .getFirst()
                                .getExpression()
                                .replace("r.startsWith('nvidia.com/mig-') ||", "")));
        List<String> reasons = List.of(
                "it has no label gpu",
                "pods of namespace " + cluster.namespace() + ": it has no label gpu",
                "no rule of the webhook",
                "the condition asks-for-gpu of the webhook is false");
        for (int at = 0; at < changes.size(); at++) {
            MutatingWebhookConfiguration before = registered(cluster);
            edit(cluster, changes.get(at));
            try {
                String reason = reasons.get(at);
                Eventually.holds(
                        reason, () -> Pods.limits(cluster.dryRun(plain).pod()).equals("{" + ASKED + "=1}"));
                assertThat(notAsked(cluster, plain)).contains(reason);
                if (at == 0) {
                    cluster.awaitDecision(labelled, OFFERED, PATIENCE);
                    assertThat(notAsked(cluster, labelled)).isEmpty();
                }
            } finally {
                edit(cluster, webhook -> {
                    MutatingWebhook old = before.getWebhooks().getFirst();
                    webhook.setObjectSelector(old.getObjectSelector());
                    webhook.setNamespaceSelector(old.getNamespaceSelector());
                    webhook.setRules(old.getRules());
                    webhook.setMatchConditions(old.getMatchConditions());
                });
            }
            cluster.awaitDecision(plain, OFFERED, PATIENCE);
        }
        assertThat(notAsked(cluster, plain)).isEmpty();
    }

    private String notAsked(Cluster cluster, Pod pod) throws IOException {
        return json(explain(cluster.plane().kubeconfig(), pod, "-n", cluster.namespace(), "-o", "json"))
                .at("/pods/0/notAsked")
                .asText();
    }

    private static MutatingWebhookConfiguration registered(Cluster cluster) {
        return cluster.client()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(Registration.NAME)
                .get();
    }

    private static void edit(Cluster cluster, Consumer<MutatingWebhook> change) {
        var _ = cluster.client()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(Registration.NAME)
                .edit(found -> {
                    found.getWebhooks().forEach(change);
                    return found;
                });
    }
}
