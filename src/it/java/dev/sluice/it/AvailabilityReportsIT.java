package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.LimitRangeItemBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClassBuilder;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** More reports such as those of {@link ReportsIT}, in availability mode. */
@AgainstControlPlane
class AvailabilityReportsIT {

    private static final String KYVERNO = "kyverno-resource-mutating-webhook-cfg";
    private static final String GPU = Burst.GPU;
    private static final String TWO = Burst.TWO;
    private static final String THREE = Burst.THREE;
    /** Promises to pods outlive their test, so the other tests ask for other devices. */
    private static final String ONE = Burst.ONE;

    private static final String SEVEN = "nvidia.com/mig-7g.80gb";
    private static final String AMD = "amd.com/gpu";

    /** canonical/bundle-kubeflow#599: a pod that ends with both names would wait for ever. */
    @Test
    void aDefaultOfALimitRangeIsNotAddedToWhatWasGiven(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(TWO, "12"));
        cluster.limit(new LimitRangeItemBuilder()
                .withDefault(Map.of(THREE, new Quantity("2")))
                .withType("Container")
                .build());
        String given = "{" + TWO + "=1, " + THREE + "=0}";
        Eventually.holds(
                "the LimitRange is known",
                () -> Pods.limits(cluster.dryRun(Pods.asking("probe", THREE)).pod())
                        .equals(given));
        Pod pod = cluster.create(Pods.asking("pod", THREE)).pod();
        assertThat(Pods.limits(pod)).isEqualTo(given).isEqualTo(Pods.requests(pod));
        cluster.awaitPhase("Running", 1);
    }

    /** NexusGPU/tensor-fusion#140: a webhook takes whole GPUs out of the pods that its own devices serve. */
    @Test
    void aPodWhoseGpuAWebhookBehindTakesAwayHoldsNothing(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(GPU, "1"));
        try (Witness witness = new Witness(
                        cluster,
                        "tensor" + Reserving.DENY,
                        call -> call.object().at("/spec/containers").toString().contains(GPU + "\"")
                                ? ReportsIT.patch("[{'op':'remove','path':'/spec/containers/0/resources/limits'},"
                                        + "{'op':'remove','path':'/spec/containers/0/resources/requests'}]")
                                : Reply.allow())
                .registeredAs("tensor-fusion", webhook -> webhook.withReinvocationPolicy("IfNeeded"))
                .withGateway(reserving.gateway())) {
            Pod pod = witness.create(Pods.asking("pod", GPU)).pod();
            assertThat(pod.getSpec().getContainers().getFirst().getResources().getLimits())
                    .isNullOrEmpty();
            Eventually.holds(
                    "the GPU is free again",
                    () -> cluster.dryRun(Pods.asking("next", GPU), cluster.sibling(Reserving.DENY))
                                    .status()
                            == 201);
        }
    }

    /** kata-containers/kata-containers#7304: a webhook names a RuntimeClass, and the API server adds its overhead. */
    @Test
    void anOverheadThatComesBetweenTheLooksCounts(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(ONE, "4"));
        var kata = cluster.client()
                .resource(new RuntimeClassBuilder()
                        .withNewMetadata()
                        .withName("kata")
                        .endMetadata()
                        .withHandler("kata")
                        .withNewOverhead()
                        .addToPodFixed("memory", new Quantity("600Gi"))
                        .endOverhead()
                        .build());
        var _ = kata.create();
        try (Witness witness = new Witness(
                        cluster,
                        "kata" + Reserving.DENY,
                        _ -> ReportsIT.patch("[{'op':'add','path':'/spec/runtimeClassName','value':'kata'}]"))
                .registeredAs("kata-webhook", webhook -> webhook.withReinvocationPolicy("Never"))
                .withGateway(reserving.gateway())) {
            Api.Answer answer = witness.create(Pods.asking("pod", ONE));
            assertThat(answer.status()).as(answer.body()).isEqualTo(403);
            assertThat(answer.message()).contains("memory");
            assertThat(cluster.create(Pods.asking("all", ONE, 4), cluster.sibling(Reserving.DENY))
                            .status())
                    .as("the refused pod holds nothing")
                    .isEqualTo(201);
        } finally {
            var _ = kata.delete();
        }
    }

    /** The stamp stays, because the pod still has its room; of the change nothing is left. */
    @ParameterizedTest
    @CsvSource({"IfNeeded, " + THREE, "Never, " + THREE, "IfNeeded, " + TWO, "Never, " + TWO})
    void whoeverAsksForBothResourcesEndsWithBoth(
            String reinvocation, String written, Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(TWO, "4"));
        try (Witness witness = new Witness(cluster, _ -> CompanyIT.writeBack(written))
                .registeredAs("z-writer", webhook -> webhook.withReinvocationPolicy(reinvocation))
                .withGateway(reserving.gateway())) {
            Pod pod = witness.create(CompanyIT.both()).pod();
            assertThat(Pods.limits(pod))
                    .isEqualTo("{" + TWO + "=1, " + THREE + "=1}")
                    .isEqualTo(Pods.requests(pod));
            assertThat(Pods.ofSluice(pod))
                    .containsExactly("gpu-webhook.k8s.io/decision", "gpu-webhook.k8s.io/fallback-mode");
        }
    }

    @Test
    void aGpuThatAWebhookInFrontGaveIsGivenBack(Cluster cluster, Reserving reserving) throws Exception {
        cluster.addNode("gpu", Map.of(THREE, "4"), new Taint("NoSchedule", "nvidia.com/gpu", null, "present"));
        reserving.node(cluster, "old", Map.of(TWO, "7"));
        try (Witness witness = new Witness(cluster, "behind", _ -> ReportsIT.patch(CompanyIT.TOLERATION))
                        .registeredAs(KYVERNO, webhook -> webhook.withReinvocationPolicy("Never"))
                        .withGateway(reserving.gateway());
                Witness _ = ReportsIT.givingInFrontOf(witness, cluster)) {
            Pod pod = witness.create(Pods.plain("pod")).pod();
            assertThat(Pods.limits(pod)).isEqualTo("{cpu=1, " + THREE + "=1}").isEqualTo(Pods.requests(pod));
            assertThat(Pods.ofSluice(pod)).containsExactly("gpu-webhook.k8s.io/decision");
        }
    }

    /** kyverno/policies#661: a policy names the priority class of pods. */
    @ParameterizedTest
    @ValueSource(strings = {KYVERNO, "a-kyverno"})
    void aPriorityThatAPolicyGivesCounts(String name, Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(THREE, "2", TWO, "4"));
        cluster.priorityClass("spare", 100);
        cluster.priorityClass("urgent", 1_000);
        try (Witness witness = new Witness(
                        cluster,
                        "policy-" + name.charAt(0),
                        _ -> ReportsIT.patch("[{'op':'remove','path':'/spec/priority'},"
                                + "{'op':'add','path':'/spec/priorityClassName','value':'urgent'}]"))
                .registeredAs(name, webhook -> webhook.withReinvocationPolicy("Never"))
                .withGateway(reserving.gateway())) {
            for (int i = 0; i < 2; i++) {
                var _ = cluster.create(prior("spare-" + i, "spare")).pod();
            }
            cluster.awaitPhase("Running", 2);
            Pod pod = witness.create(Pods.asking("pod", THREE)).pod();
            assertThat(pod.getSpec().getPriority()).isEqualTo(1_000);
            assertThat(Pods.limits(pod)).isEqualTo("{" + THREE + "=1}");
        }
    }

    /** kubernetes/autoscaler#4111: placeholders of low priority do not help pods that never preempt. */
    @Test
    void aPodThatNeverPreemptsIsGivenWhatIsFree(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(THREE, "2", TWO, "4"));
        cluster.priorityClass("spare", -10);
        cluster.priorityClass("patient", 1_000, "Never");
        for (int i = 0; i < 2; i++) {
            var _ = cluster.create(prior("spare-" + i, "spare")).pod();
        }
        cluster.awaitPhase("Running", 2);
        assertThat(Pods.limits(cluster.create(prior("pod", "patient")).pod())).isEqualTo("{" + TWO + "=1}");
        cluster.awaitPhase("Running", 3);
    }

    /** kubernetes/kubernetes#67662: another webhook does not answer in time, and the pod is created again. */
    @Test
    void aCreationThatFailedBehindLeavesItsRoomToTheNextTry(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(SEVEN, "1"));
        try (Witness witness = new Witness(
                        cluster,
                        "late" + Reserving.DENY,
                        call -> call.object()
                                        .at("/metadata/labels/fails")
                                        .asText()
                                        .equals("yes")
                                ? Reply.status(500, Map.of())
                                : Reply.allow())
                .registeredAs(
                        "z-late",
                        webhook -> webhook.withReinvocationPolicy("Never").withFailurePolicy("Fail"))
                .withGateway(reserving.gateway())) {
            for (int i = 0; i < 3; i++) {
                assertThat(witness.create(failing(Pods.asking("pod", SEVEN))).status())
                        .isEqualTo(500);
            }
            assertThat(witness.create(Pods.asking("pod", SEVEN)).status()).isEqualTo(201);
            assertThat(witness.create(Pods.asking("second", SEVEN)).status()).isEqualTo(403);
        }
    }

    /** bank-vaults/bank-vaults#515: an injected container has no limits, and a quota refuses the pod for that. */
    @Test
    void aPodThatAQuotaRefusesForAnInjectedContainerHoldsOneDevice(Cluster cluster, Reserving reserving)
            throws Exception {
        reserving.node(cluster, "worker", Map.of(AMD, "4"));
        try (Witness witness = new Witness(
                        cluster,
                        "vault" + Reserving.DENY,
                        call -> call.object().toString().contains("\"vault\"")
                                ? Reply.allow()
                                : ReportsIT.patch(
                                        "[{'op':'add','path':'/spec/containers/-','value':{'name':'vault','image':'none'}}]"))
                .registeredAs("vault-secrets-webhook", webhook -> webhook.withReinvocationPolicy("IfNeeded"))
                .withGateway(reserving.gateway())) {
            cluster.quota(witness.namespace(), Map.of("limits.cpu", new Quantity("64")));
            for (int i = 0; i < 6; i++) {
                Api.Answer answer = witness.create(Pods.asking("pod", AMD));
                assertThat(answer.status()).isEqualTo(403);
                assertThat(answer.message()).contains("must specify limits.cpu");
            }
            assertThat(cluster.create(Pods.asking("honest", AMD, 3), cluster.sibling(Reserving.DENY))
                            .status())
                    .isEqualTo(201);
            assertThat(free(reserving, AMD)).isLessThanOrEqualTo(1);
        }
    }

    private static long free(Reserving reserving, String device) throws Exception {
        return reserving.gateway().available().values().stream()
                .map(node -> node.getOrDefault(device, BigDecimal.ZERO))
                .mapToLong(BigDecimal::longValue)
                .sum();
    }

    private static Pod prior(String name, String priorityClass) {
        return new PodBuilder(Pods.asking(name, THREE))
                .editSpec()
                .withPriorityClassName(priorityClass)
                .endSpec()
                .build();
    }

    private static Pod failing(Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToLabels("fails", "yes")
                .endMetadata()
                .build();
    }
}
