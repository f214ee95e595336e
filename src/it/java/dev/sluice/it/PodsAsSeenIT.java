package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Facts the gateway is built on: what has happened to a pod before a webhook sees it, and what happens after. */
@AgainstControlPlane
class PodsAsSeenIT {

    private static final String MIG = "nvidia.com/mig-2g.20gb";
    private static final String GPU = "nvidia.com/gpu";

    @Test
    void limitsAreCopiedToRequestsBefore(Cluster cluster) throws Exception {
        try (Witness witness = new Witness(cluster, _ -> Reply.allow()).registered()) {
            var _ = witness.create(Pods.asking("pod", MIG)).pod();
            assertThat(Pods.requests(witness.calls().getFirst().pod())).isEqualTo("{" + MIG + "=1}");
        }
    }

    @Test
    void thePodIsDefaultedAgainAfterThePatch(Cluster cluster) throws Exception {
        String removed = "[{'op':'remove','path':'/spec/containers/0/resources/requests/nvidia.com~1mig-2g.20gb'}]";
        try (Witness witness =
                new Witness(cluster, _ -> Reply.allow().patch(removed.replace('\'', '"'))).registered()) {
            Pod pod = witness.create(Pods.asking("pod", MIG)).pod();
            assertThat(Pods.requests(pod)).isEqualTo("{" + MIG + "=1}");
        }
    }

    @Test
    void aGeneratedNameIsNotThereYet(Cluster cluster) throws Exception {
        Pod nameless = new PodBuilder(Pods.asking("pod", MIG))
                .editMetadata()
                .withName(null)
                .withGenerateName("generated-")
                .endMetadata()
                .build();
        try (Witness witness = new Witness(cluster, _ -> Reply.allow()).registered()) {
            Pod pod = witness.create(nameless).pod();
            assertThat(pod.getMetadata().getName()).startsWith("generated-");
            Call call = witness.calls().getFirst();
            assertThat(call.request().has("name")).isFalse();
            assertThat(call.pod().getMetadata().getName()).isNull();
            assertThat(call.pod().getMetadata().getUid()).isNull();
            assertThat(call.request().path("namespace").asText()).isEqualTo(witness.namespace());
        }
    }

    @Test
    void limitRangerComesBefore(Cluster cluster) throws Exception {
        try (Witness witness = new Witness(cluster, _ -> Reply.allow()).registered()) {
            var _ = cluster.client()
                    .resource(new LimitRangeBuilder()
                            .withNewMetadata()
                            .withName("defaults")
                            .withNamespace(witness.namespace())
                            .endMetadata()
                            .withNewSpec()
                            .addNewLimit()
                            .withType("Container")
                            .withDefaultRequest(Map.of("cpu", new Quantity("100m")))
                            .endLimit()
                            .endSpec()
                            .build())
                    .create();
            Eventually.holds("a pod gets the default", () -> {
                var _ = witness.dryRun(Pods.asking("pod", MIG)).pod();
                Call call = witness.calls().getLast();
                return Pods.requests(call.pod()).equals("{cpu=100m, " + MIG + "=1}")
                        && call.annotations().containsKey("kubernetes.io/limit-ranger");
            });
        }
    }

    @Test
    void quotaIsChargedForWhatThePodEndsUpWith(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "4"));
        var _ = cluster.client()
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("gpus")
                        .withNamespace(cluster.namespace())
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of("requests." + GPU, new Quantity("1"), "requests." + MIG, new Quantity("0")))
                        // Users write these keys, too, and nothing is counted for them (NVIDIA/k8s-device-plugin#211).
                        .addToHard(Map.of(GPU, new Quantity("0"), "limits." + GPU, new Quantity("0")))
                        .endSpec()
                        .build())
                .create();
        Eventually.holds(
                "the quota is in force",
                () -> cluster.client()
                                .resourceQuotas()
                                .inNamespace(cluster.namespace())
                                .withName("gpus")
                                .get()
                                .getStatus()
                                .getUsed()
                        != null);
        var _ = cluster.create(Pods.asking("first", MIG)).pod();
        Api.Answer second = cluster.create(Pods.asking("second", MIG));
        assertThat(second.status()).isEqualTo(403);
        assertThat(second.message())
                .contains(
                        "exceeded quota: gpus, requested: requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=1");
    }

    @Test
    void extendedResourcesAreToleratedUnderBothNamesBecauseThePluginsRunAgainAfterAPatch(Cluster cluster)
            throws Exception {
        cluster.node("worker", Map.of(GPU, "4"));
        Pod pod = cluster.create(Pods.asking("pod", MIG)).pod();
        assertThat(pod.getSpec().getTolerations())
                .extracting(Toleration::getKey)
                .contains(MIG, GPU);
    }

    @Test
    void aGpuInRequestsOnlyIsRefusedUnlessTheGatewayAddsTheLimit(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "4"));
        Pod pod = new PodBuilder(Pods.asking("pod", GPU))
                .editSpec()
                .editFirstContainer()
                .withNewResources()
                .withRequests(Map.of(GPU, new Quantity("1")))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
        String aside = cluster.namespace() + "-disabled";
        cluster.newNamespace(aside, Map.of("gpu-webhook", "disabled"));
        Api.Answer refused = cluster.create(pod, aside);
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.message()).contains("Limit must be set for non overcommitable resources");
        Api.Answer created = cluster.create(pod);
        assertThat(Pods.limits(created.pod())).isEqualTo("{" + GPU + "=1}");
        assertThat(created.warnings()).singleElement().asString().contains("is set in requests only");
    }
}
