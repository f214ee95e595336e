package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MatchCondition;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nobody gets past a webhook with the shipped conditions by a pod that makes them fail, or by a borrowed annotation.
 * The webhook is one that has time for the largest pods and counts its calls.
 */
@AgainstControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConditionsIT {

    private static final String GPU = "nvidia.com/gpu";
    private static final String ERRORS = "apiserver_admission_match_condition_evaluation_errors_total";
    private static final String MIRROR = "kubernetes.io/config.mirror";

    private ControlPlane.@Nullable ApiServer server;
    private @Nullable Witness witness;

    @BeforeEach
    void registersAWebhookWithTheShippedConditions(Cluster cluster) throws Exception {
        if (server == null) {
            server = cluster.plane().anotherApiServer("conditions", List.of());
        }
        Witness registered =
                new Witness(cluster, _ -> Reply.allow()).registered(webhook -> webhook.withTimeoutSeconds(30));
        witness = registered;
        List<MatchCondition> shipped = shipped(cluster);
        registered.edit(webhook -> webhook.setMatchConditions(shipped));
        Eventually.holds("the conditions are in force", () -> {
            int before = registered.calls().size();
            return create(Pods.plain("plain"), "?dryRun=All").status() == 201
                    && registered.calls().size() == before;
        });
    }

    @AfterEach
    void isBackAsItWas() throws Exception {
        if (witness != null) {
            witness.close();
        }
    }

    @AfterAll
    void endsTheOtherApiServer() throws Exception {
        if (server != null) {
            server.daemon().kill();
        }
    }

    @Test
    void everyPodThatIsStoredHasBeenLookedAt(Cluster cluster) throws Exception {
        for (String gpu : List.of("nvidia.com/mig-3g.40gb", GPU)) {
            for (Pod pod : WorstPods.stored(gpu)) {
                int before = calls();
                Api.Answer answer = create(pod, "");
                String name = pod.getMetadata().getName();
                assertThat(answer.status()).as(name + ": " + answer.message()).isEqualTo(201);
                assertThat(calls()).as(name).isGreaterThan(before);
                cluster.delete(witness().namespace(), name);
                Eventually.holds(name + " is gone", () -> isGone(cluster, name));
            }
        }
        assertThat(errors()).as("conditions that failed").isZero();
    }

    /** What becomes of them otherwise depends on the API server, which gives up on a request after a while (504). */
    @ParameterizedTest
    @ValueSource(strings = {"Ignore", "Fail"})
    void evenPodsThatAreTooLargeToBeStoredFailNoCondition(String failurePolicy) throws Exception {
        witness().edit(webhook -> webhook.setFailurePolicy(failurePolicy));
        for (Pod pod : WorstPods.sent(GPU)) {
            int before = calls();
            Api.Answer answer = create(pod, "?dryRun=All");
            String name = pod.getMetadata().getName();
            assertThat(calls() > before || answer.status() == 504)
                    .as(name + ": " + answer.status())
                    .isTrue();
            assertThat(answer.message()).as(name).doesNotContain("expression", "cost budget");
        }
        assertThat(errors()).as("conditions that failed").isZero();
    }

    @Test
    void podsWithoutGpuOfOrdinarySizeStayAway() throws Exception {
        int before = calls();
        for (Pod pod : WorstPods.withoutGpuAndWithinTheGuards()) {
            Api.Answer answer = create(pod, "?dryRun=All");
            assertThat(answer.status()).as(answer.message()).isEqualTo(201);
        }
        assertThat(calls()).isEqualTo(before);
        assertThat(errors()).as("conditions that failed").isZero();
    }

    @Test
    void whatANodeMirrorsIsLeftAlone(Cluster cluster) throws Exception {
        mayDoAnything(cluster, "a-node", "system:node:worker");
        mayDoAnything(cluster, "a-user", "somebody");
        int before = calls();
        try {
            createAs(cluster, mirror("static"), "system:node:worker", "system:nodes");
            assertThat(calls()).as("a mirror pod").isEqualTo(before);
            createAs(cluster, Pods.asking("plain", GPU), "system:node:worker", "system:nodes");
            assertThat(calls()).as("another pod of a node").isEqualTo(before + 1);
            createAs(cluster, mirror("borrowed"), "somebody", "system:authenticated");
            assertThat(calls()).as("a user's annotation").isEqualTo(before + 2);
            createAs(cluster, mirror("grouped"), "somebody", "system:nodes");
            assertThat(calls()).as("a user in the group").isEqualTo(before + 3);
            createAs(cluster, mirror("named"), "system:node:worker", "system:authenticated");
            assertThat(calls()).as("a name without the group").isEqualTo(before + 4);
        } finally {
            for (String binding : List.of("a-node", "a-user")) {
                var _ = cluster.client()
                        .rbac()
                        .clusterRoleBindings()
                        .withName(binding)
                        .delete();
            }
        }
    }

    private static Pod mirror(String name) {
        return new PodBuilder(Pods.asking(name, GPU))
                .editMetadata()
                .addToAnnotations(MIRROR, "0123456789abcdef")
                .endMetadata()
                .editSpec()
                .withNodeName("worker")
                .endSpec()
                .build();
    }

    private void createAs(Cluster cluster, Pod pod, String user, String group) {
        var _ = cluster.plane()
                .kubectl(
                        "create",
                        "--namespace=" + witness().namespace(),
                        "--as=" + user,
                        "--as-group=" + group,
                        "--dry-run=server",
                        "--filename=-")
                .reading(Pods.json(pod))
                .output();
    }

    private static void mayDoAnything(Cluster cluster, String binding, String user) {
        var _ = cluster.plane()
                .kubectl("create", "clusterrolebinding", binding, "--clusterrole=cluster-admin", "--user=" + user)
                .output();
        Eventually.holds(
                user + " may create pods",
                () -> cluster.plane()
                                .kubectl("auth", "can-i", "create", "pods", "--as=" + user)
                                .run()
                                .code()
                        == 0);
    }

    private Api.Answer create(Pod pod, String query) throws Exception {
        return Objects.requireNonNull(server)
                .api()
                .create(pod, "/api/v1/namespaces/" + witness().namespace() + "/pods" + query);
    }

    private boolean isGone(Cluster cluster, String name) {
        return cluster.client()
                        .pods()
                        .inNamespace(witness().namespace())
                        .withName(name)
                        .get()
                == null;
    }

    private int calls() {
        return witness().calls().size();
    }

    private Witness witness() {
        return Objects.requireNonNull(witness);
    }

    private double errors() throws Exception {
        return Objects.requireNonNull(server).api().metrics().sum(ERRORS);
    }

    static List<MatchCondition> shipped(Cluster cluster) {
        String rendered = cluster.plane().kubectl("kustomize", "k8s/base").output();
        return cluster.client().load(new ByteArrayInputStream(rendered.getBytes(UTF_8))).items().stream()
                .filter(MutatingWebhookConfiguration.class::isInstance)
                .map(MutatingWebhookConfiguration.class::cast)
                .findFirst()
                .orElseThrow()
                .getWebhooks()
                .getFirst()
                .getMatchConditions();
    }
}
