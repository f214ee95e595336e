package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pods the API server asks the gateway about, with the registration as it ships. */
@AgainstControlPlane
class ReachIT {

    private static final String GPU = "nvidia.com/gpu";
    private static final String MIG = "nvidia.com/mig-2g.20gb";

    @Test
    void podsWithoutGpuNeverReachTheGateway(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "4"));
        double before = cluster.gateway().reviews();
        for (Pod pod : List.of(
                Pods.plain("cpu"),
                Pods.asking("shm", "nvidia.com/shm"),
                Pods.asking("network", "rdma/hca"),
                Pods.named(
                        "nothing",
                        Pods.spec(new ContainerBuilder()
                                .withName("main")
                                .withImage("none")
                                .build())))) {
            assertThat(cluster.create(pod).status()).isEqualTo(201);
        }
        assertThat(cluster.gateway().reviews()).isEqualTo(before);
        assertThat(cluster.dryRun(Pods.asking("gpu", GPU)).status()).isEqualTo(201);
        assertThat(cluster.gateway().reviews()).isEqualTo(before + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {GPU, "nvidia.com/gpu.shared", MIG, "amd.com/gpu", "gpu.intel.com/i915"})
    void podsWithAGpuOfAnyMakerReachIt(String resource, Cluster cluster) throws Exception {
        assertReaches(cluster, Pods.asking("pod", resource));
    }

    @Test
    void podsWithAGpuInAnyKindOfContainerReachIt(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "4"));
        Container plain = Pods.container("plain", "cpu", 1);
        assertReaches(cluster, Pods.named("second", Pods.spec(plain, Pods.container("gpu", GPU, 1))));
        assertReaches(cluster, withInit(Pods.container("gpu", GPU, 1)));
        assertReaches(
                cluster,
                withInit(new ContainerBuilder(Pods.container("gpu", GPU, 1))
                        .withRestartPolicy("Always")
                        .build()));
        assertReaches(cluster, Pods.named("requests", Pods.spec(requestsOnly())));
        assertReaches(cluster, withInit(requestsOnly()));
    }

    @Test
    void theConditionIsAffordableForAVeryLargePod(Cluster cluster) throws Exception {
        Map<String, Quantity> twenty = new HashMap<>();
        IntStream.range(0, 19).forEach(i -> twenty.put("example.com/thing-" + i, new Quantity("1")));
        List<Container> thousand = IntStream.range(0, 1_000)
                .mapToObj(i -> new ContainerBuilder(Pods.container("c" + i, i == 999 ? GPU : "cpu", 1))
                        .editResources()
                        .addToLimits(twenty)
                        .endResources()
                        .build())
                .toList();
        cluster.node("worker", Map.of(GPU, "4"));
        assertReaches(cluster, Pods.named("large", Pods.spec(thousand.toArray(Container[]::new))));
    }

    @Test
    void namespacesThatAreExcludedAreUntouched(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "4"));
        String disabled = cluster.namespace() + "-disabled";
        cluster.newNamespace(disabled, Map.of("gpu-webhook", "disabled"));
        cluster.awaitAccount("kube-system");
        double before = cluster.gateway().reviews();
        for (String namespace : List.of("kube-system", disabled)) {
            Pod pod = cluster.create(Pods.asking("untouched", MIG), namespace).pod();
            assertThat(Pods.limits(pod)).isEqualTo("{" + MIG + "=1}");
        }
        assertThat(cluster.dryRun(restricted(), Account.NAMESPACE).pod())
                .satisfies(pod -> assertThat(Pods.limits(pod)).isEqualTo("{" + MIG + "=1}"));
        assertThat(cluster.gateway().reviews()).isEqualTo(before);
        cluster.delete("kube-system", "untouched");
    }

    private static void assertReaches(Cluster cluster, Pod pod) throws Exception {
        double before = cluster.gateway().reviews();
        var _ = cluster.dryRun(pod);
        assertThat(cluster.gateway().reviews()).as(pod.getMetadata().getName()).isEqualTo(before + 1);
    }

    private static Pod withInit(Container init) {
        return new PodBuilder(Pods.plain("init"))
                .editSpec()
                .withInitContainers(init)
                .endSpec()
                .build();
    }

    private static Container requestsOnly() {
        return new ContainerBuilder()
                .withName("gpu")
                .withImage("none")
                .withResources(new ResourceRequirementsBuilder()
                        .withRequests(Map.of(GPU, new Quantity("1")))
                        .build())
                .build();
    }

    /** As the strictest Pod Security Standard wants it, which holds in the gateway's namespace. */
    private static Pod restricted() {
        return Pods.restricted(Pods.asking("restricted", MIG));
    }
}
