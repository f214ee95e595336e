package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LimitRangeItemBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Public reports of people who run admission webhooks, quotas and LimitRanges beside GPUs, rebuilt in small. */
@AgainstControlPlane
class ReportsIT {

    private static final String GPU = Burst.GPU;
    private static final String TWO = Burst.TWO;
    private static final String THREE = Burst.THREE;
    private static final String INTEL = "gpu.intel.com/i915";
    private static final String KYVERNO = "kyverno-resource-mutating-webhook-cfg";

    /** openshift/cluster-resource-override-admission-operator#14: a webhook went beyond the maximum of a LimitRange. */
    @Test
    void whatIsGivenNeverExceedsTheMaximumOfALimitRange(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "12"));
        cluster.limit(new LimitRangeItemBuilder()
                .withMax(quantities(TWO, "1"))
                .withDefault(quantities(TWO, "0"))
                .withDefaultRequest(quantities(TWO, "0"))
                .withType("Container")
                .build());
        Eventually.holds(
                "the LimitRange is known",
                () -> Pods.limits(cluster.dryRun(Pods.asking("two", THREE, 2)).pod())
                        .equals("{" + TWO + "=0, " + THREE + "=2}"));
        Api.Answer answer = cluster.create(Pods.asking("two", THREE, 2));
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.warnings()).singleElement().asString().contains("a LimitRange of the namespace rules out");
        assertThat(Pods.limits(cluster.create(Pods.asking("one", THREE)).pod())).isEqualTo("{" + TWO + "=1}");
    }

    /** intel/intel-device-plugins-for-kubernetes#1408: a maximum alone gives the device to every container. */
    @Test
    void aDeviceThatAMaximumGivesToEveryContainerIsDecidedWithTheOthers(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "12", INTEL, "4"));
        cluster.limit(new LimitRangeItemBuilder()
                .withMax(quantities(INTEL, "1"))
                .withType("Container")
                .build());
        String given = "{" + INTEL + "=1, " + TWO + "=1}";
        Eventually.holds(
                "the LimitRange is known",
                () -> Pods.limits(cluster.dryRun(Pods.asking("pod", THREE)).pod())
                        .equals(given));
        assertThat(Pods.limits(cluster.create(Pods.asking("pod", THREE)).pod())).isEqualTo(given);
        assertThat(cluster.create(Pods.plain("plain")).warnings()).isEmpty();
        cluster.awaitPhase("Running", 2);
    }

    /** rancher/rancher-docs#522: a project gives one whole GPU to each container by default. */
    @Test
    void aWholeGpuThatIsGivenByDefaultCountsBesideTheSliceThatWasAsked(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "8"));
        cluster.limit(new LimitRangeItemBuilder()
                .withDefault(quantities(GPU, "1"))
                .withType("Container")
                .build());
        String given = "{" + GPU + "=2}";
        Eventually.holds(
                "the LimitRange is known",
                () -> Pods.limits(cluster.dryRun(Pods.asking("pod", TWO)).pod()).equals(given));
        Pod pod = cluster.create(Pods.asking("pod", TWO)).pod();
        assertThat(Pods.limits(pod)).isEqualTo(given).isEqualTo(Pods.requests(pod));
    }

    /** Project-HAMi/HAMi#2558: a webhook overlooked GPUs of init containers. */
    @Test
    void aGpuThatOnlyAnInitContainerAsksForIsExchanged(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "1"));
        Pod asking = new PodBuilder(Pods.plain("pod"))
                .editSpec()
                .withInitContainers(Pods.container("init", THREE, 1))
                .endSpec()
                .build();
        Pod pod = cluster.create(asking).pod();
        assertThat(limits(pod.getSpec().getInitContainers().getFirst())).isEqualTo("{" + TWO + "=1}");
        assertThat(Pods.limits(pod)).isEqualTo("{cpu=1}");
    }

    /** Project-HAMi/HAMi#1164: a webhook behind names another scheduler for pods that ask for whole GPUs. */
    @Test
    void aSchedulerThatIsNamedForWhatWasGivenStays(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "8"));
        try (Witness witness = new Witness(
                        cluster,
                        call -> call.object().at("/spec/containers").toString().contains(GPU + "\"")
                                ? patch("[{'op':'replace','path':'/spec/schedulerName','value':'hami-scheduler'}]")
                                : Reply.allow())
                .registeredAs("hami-webhook", webhook -> webhook.withReinvocationPolicy("IfNeeded"))
                .withGateway(cluster.gateway())) {
            Api.Answer answer = witness.create(Pods.asking("pod", TWO));
            assertThat(Pods.limits(answer.pod())).isEqualTo("{" + GPU + "=1}");
            assertThat(answer.pod().getSpec().getSchedulerName()).isEqualTo("hami-scheduler");
            assertThat(answer.warnings()).hasSize(1);
        }
    }

    /** openshift/instaslice-operator#30: a webhook computes another resource, for quotas, from the name of a slice. */
    @ParameterizedTest
    @ValueSource(strings = {"a-instaslice", "instaslice"})
    void aResourceThatAnotherWebhookAddsStays(String name, Cluster cluster) throws Exception {
        String memory = "nvidia.com/accelerator-memory";
        cluster.node("worker", Map.of(TWO, "4", memory, "400"));
        try (Witness witness = new Witness(cluster, call -> {
                    JsonNode limits = call.object().at("/spec/containers/0/resources/limits");
                    String written = limits.has(THREE) ? "40" : "20";
                    return limits.has(memory)
                            ? Reply.allow()
                            : patch("""
                                [{'op':'add','path':'/spec/containers/0/resources/limits/%1$s','value':'%2$s'},
                                {'op':'add','path':'/spec/containers/0/resources/requests/%1$s','value':'%2$s'}]""".formatted(memory.replace("/", "~1"), written));
                })
                .registeredAs(name, webhook -> webhook.withReinvocationPolicy("IfNeeded"))
                .withGateway(cluster.gateway())) {
            String of = name.startsWith("a-") ? "40" : "20";
            assertThat(Pods.limits(witness.create(Pods.asking("pod", THREE)).pod()))
                    .isEqualTo("{" + memory + "=" + of + ", " + TWO + "=1}");
        }
    }

    /** adobe/koperator#269: an operator replaces pods whose resources differ, so a policy turns fallbacks off there. */
    @Test
    void fallbacksThatAPolicyBehindTurnsOffAreTakenBack(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "4"));
        try (Witness witness = new Witness(
                        cluster,
                        _ -> patch("[{'op':'add','path':'/metadata/annotations/gpu-webhook.k8s.io~1fallback-mode',"
                                + "'value':'keep'}]"))
                .registeredAs(KYVERNO, webhook -> webhook.withReinvocationPolicy("Never"))
                .withGateway(cluster.gateway())) {
            Api.Answer answer = witness.create(Pods.asking("pod", THREE));
            assertThat(Pods.limits(answer.pod())).isEqualTo("{" + THREE + "=1}").isEqualTo(Pods.requests(answer.pod()));
            assertThat(Pods.fallback(answer.pod())).isEmpty();
        }
    }

    /** kyverno/kyverno#17282: a policy in front is not asked again, and tolerates what was asked at first. */
    @Test
    void aTolerationForWhatWasAskedLeadsToNoNodeThatRepelsWhatIsGiven(Cluster cluster) throws Exception {
        cluster.addNode("tainted", Map.of(TWO, "4"), taint("pool-two"));
        cluster.node("other", Map.of(GPU, "1"), taint("pool-whole"));
        try (Witness witness = new Witness(
                        cluster,
                        call -> call.object().at("/spec/containers").toString().contains(THREE)
                                ? patch("[{'op':'add','path':'/spec/tolerations/-','value':{'key':'pool-three',"
                                        + "'operator':'Exists'}}]")
                                : Reply.allow())
                .registeredAs("a-kyverno", webhook -> webhook.withReinvocationPolicy("Never"))
                .withGateway(cluster.gateway())) {
            Api.Answer answer = witness.create(Pods.asking("pod", THREE));
            assertThat(Pods.limits(answer.pod())).isEqualTo("{" + THREE + "=1}");
            assertThat(answer.warnings())
                    .singleElement()
                    .asString()
                    .contains("none this pod may use offers a fallback");
        }
    }

    /** kserve/kserve#143: a webhook gives pods their GPU, and another one tolerates the taint of GPU nodes behind. */
    @Test
    void aGpuThatAWebhookInFrontGaveIsGivenBack(Cluster cluster) throws Exception {
        cluster.addNode("gpu", Map.of(THREE, "4"), taint("nvidia.com/gpu"));
        cluster.node("old", Map.of(TWO, "7"));
        try (Witness behind = CompanyIT.tolerating(cluster, KYVERNO).withGateway(cluster.gateway());
                Witness _ = givingInFrontOf(behind, cluster)) {
            Api.Answer answer = behind.create(Pods.plain("pod"));
            Pod pod = answer.pod();
            assertThat(Pods.limits(pod)).isEqualTo("{cpu=1, " + THREE + "=1}").isEqualTo(Pods.requests(pod));
            assertThat(Pods.ofSluice(pod)).isEmpty();
            assertThat(answer.warnings()).last().asString().contains("can be had after all");
        }
    }

    /** Project-HAMi/HAMi#1605: what a quota refuses should be told at once, and of which resource. */
    @Test
    void whoeverAQuotaRefusesReadsWhatWasGiven(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "4"));
        cluster.quota(cluster.namespace(), Map.of("requests." + TWO, new Quantity("0")));
        Api.Answer answer = cluster.create(Pods.asking("pod", THREE));
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.message()).contains("exceeded quota").contains("requests." + TWO + "=1");
        assertThat(answer.warnings()).singleElement().asString().contains(THREE).contains(TWO);
    }

    /** Gives a GPU to the pods of this webhook's namespace before the gateway is asked. */
    static Witness givingInFrontOf(Witness behind, Cluster cluster) {
        return new Witness(cluster, "front", _ -> CompanyIT.writeBack(THREE))
                .registeredAs(
                        "accelerator-injector",
                        webhook -> webhook.withReinvocationPolicy("Never")
                                .withNewNamespaceSelector()
                                .addNewMatchExpression()
                                .withKey("kubernetes.io/metadata.name")
                                .withOperator("In")
                                .withValues(cluster.namespace() + "-front", behind.namespace())
                                .endMatchExpression()
                                .endNamespaceSelector());
    }

    private static Taint taint(String key) {
        return new Taint("NoSchedule", key, null, "present");
    }

    private static Map<String, Quantity> quantities(String name, String quantity) {
        return Map.of(name, new Quantity(quantity));
    }

    private static String limits(Container container) {
        return new TreeMap<>(container.getResources().getLimits()).toString();
    }

    static Reply patch(String operations) {
        return Reply.allow().patch(operations.replace('\'', '"'));
    }
}
