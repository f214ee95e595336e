package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the predecessor promised, judged by the scheduler and by what the pods carry. */
@AgainstControlPlane
@Isolated
class ReferenceScenariosIT {

    private static final String GPU = "nvidia.com/gpu";
    private static final String ONE = "nvidia.com/mig-1g.10gb";
    private static final String TWO = "nvidia.com/mig-2g.20gb";
    private static final String THREE = "nvidia.com/mig-3g.30gb";
    private static final String THREE_OF_40 = "nvidia.com/mig-3g.40gb";

    @Test
    void tenPodsForMigRunOnWholeGpusUntilTheseAreUsedUp(Cluster cluster) throws Exception {
        cluster.node("worker-1", Map.of(GPU, "4"));
        cluster.node("worker-2", Map.of(GPU, "4"));
        for (int i = 0; i < 10; i++) {
            Pod pod = cluster.create(Pods.asking("pod-" + i, TWO)).pod();
            assertChanged(pod, GPU, "2g.20gb->gpu");
        }
        cluster.awaitPhase("Running", 8);
        List<Pod> waiting = cluster.inPhase("Pending");
        assertThat(waiting).hasSize(2);
        for (Pod pod : waiting) {
            assertThat(cluster.unschedulable(pod.getMetadata().getName()))
                    .startsWith("0/2 nodes are available: 2 Insufficient nvidia.com/gpu.");
        }
    }

    @Test
    void smallAndMediumNodesGiveTheNearestProfile(Cluster cluster) throws Exception {
        cluster.node("small", Map.of(ONE, "28"));
        cluster.node("medium", Map.of(TWO, "8", THREE, "4"));
        assertLeftAlone(cluster.create(Pods.asking("two", TWO)).pod(), TWO);
        assertLeftAlone(cluster.create(Pods.asking("three", THREE)).pod(), THREE);
        Pod changed = cluster.create(Pods.asking("three-of-40", THREE_OF_40)).pod();
        assertChanged(changed, TWO, "3g.40gb->2g.20gb");
        cluster.awaitPhase("Running", 3);
        assertThat(cluster.pod("three-of-40").getSpec().getNodeName()).isEqualTo("medium");
    }

    @Test
    void anAmountOfZeroIsNoOffer(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(ONE, "28", TWO, "0"));
        assertChanged(cluster.create(Pods.asking("pod", TWO)).pod(), ONE, "2g.20gb->1g.10gb");
        cluster.awaitPhase("Running", 1);
    }

    @Test
    void aSmallProfileGoesUpwards(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "8", ONE, "0"));
        assertChanged(cluster.create(Pods.asking("pod", ONE)).pod(), TWO, "1g.10gb->2g.20gb");
        cluster.awaitPhase("Running", 1);
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/mig-3g.30gb nvidia.com/mig-2g.20gb nvidia.com/mig-1g.10gb, nvidia.com/mig-3g.30gb, ''",
        "nvidia.com/mig-2g.20gb nvidia.com/mig-1g.10gb, nvidia.com/mig-2g.20gb, 3g.30gb->2g.20gb",
        "nvidia.com/gpu, nvidia.com/gpu, 3g.30gb->gpu"
    })
    void theSamePodGetsWhatEachClusterHas(String offered, String given, String fallback, Cluster cluster)
            throws Exception {
        int worker = 0;
        for (String resource : offered.split(" ", -1)) {
            cluster.node("worker-" + ++worker, Map.of(resource, "4"));
        }
        Pod pod = cluster.create(Pods.asking("pod", THREE)).pod();
        assertThat(Pods.limits(pod)).isEqualTo("{" + given + "=1}").isEqualTo(Pods.requests(pod));
        assertThat(Pods.fallback(pod)).isEqualTo(fallback);
        cluster.awaitPhase("Running", 1);
    }

    @Test
    void theNextAdmissionAfterMigWasConfiguredAnewSeesTheNewWorld(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "8", ONE, "0"));
        assertLeftAlone(cluster.create(Pods.asking("before", TWO)).pod(), TWO);
        cluster.awaitPhase("Running", 1);
        cluster.offer("worker", Map.of(TWO, "0", ONE, "28"));
        cluster.awaitDecision(Pods.asking("probe", TWO), ONE, Duration.ofSeconds(1));
        assertChanged(cluster.create(Pods.asking("after", TWO)).pod(), ONE, "2g.20gb->1g.10gb");
        cluster.awaitPhase("Running", 2);
    }

    @Test
    void everyPodOfADeploymentAndAJobIsDecidedOnItsOwn(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "8"));
        double before = changed(cluster);
        deploy(cluster, 5);
        runJob(cluster);
        assertChanged(cluster.create(Pods.asking("bare", TWO)).pod(), GPU, "2g.20gb->gpu");
        cluster.awaitPhase("Running", 6);
        cluster.awaitPhase("Succeeded", 1);
        assertThat(cluster.pods()).hasSize(7).allSatisfy(pod -> assertChanged(pod, GPU, "2g.20gb->gpu"));
        assertThat(changed(cluster) - before).isEqualTo(7);
    }

    @Test
    void aPodForWhatIsAllInUseWaitsForTheScheduler(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(THREE, "4", TWO, "8"));
        for (int i = 0; i < 4; i++) {
            assertLeftAlone(cluster.create(Pods.asking("user-" + i, THREE)).pod(), THREE);
        }
        cluster.awaitPhase("Running", 4);
        assertLeftAlone(cluster.create(Pods.asking("waiting", THREE)).pod(), THREE);
        assertThat(cluster.unschedulable("waiting"))
                .startsWith("0/1 nodes are available: 1 Insufficient nvidia.com/mig-3g.30gb.");
    }

    @Test
    void theSecondLookAfterAChangeLeavesThePodAlone(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "8"));
        double before = cluster.gateway().metrics().sum("gpu_webhook_fallback_total");
        Pod pod = cluster.create(Pods.asking("pod", TWO)).pod();
        assertChanged(pod, GPU, "2g.20gb->gpu");
        AuditEvent created = AuditEvent.withAnnotation(cluster.plane(), cluster.namespace(), "round_1_index_0");
        assertThat(created.annotation("mutation.webhook.admission.k8s.io/round_1_index_0"))
                .hasValueSatisfying(round -> assertThat(round).contains("\"mutated\":false"));
        assertThat(cluster.gateway().metrics().sum("gpu_webhook_fallback_total") - before)
                .isEqualTo(1);
    }

    private static double changed(Cluster cluster) throws Exception {
        return cluster.gateway().metrics().sum("gpu_webhook_decisions_total", "decision=\"changed\"");
    }

    private static void deploy(Cluster cluster, int replicas) {
        var _ = cluster.client()
                .resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withNamespace(cluster.namespace())
                        .withName("deployment")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(replicas)
                        .withNewSelector()
                        .withMatchLabels(Map.of("app", "deployment"))
                        .endSelector()
                        .withTemplate(template("Always"))
                        .endSpec()
                        .build())
                .create();
    }

    private static void runJob(Cluster cluster) {
        var _ = cluster.client()
                .resource(new JobBuilder()
                        .withNewMetadata()
                        .withNamespace(cluster.namespace())
                        .withName("job")
                        .endMetadata()
                        .withNewSpec()
                        .withTemplate(template("Never"))
                        .endSpec()
                        .build())
                .create();
    }

    private static PodTemplateSpec template(String restartPolicy) {
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(Map.of("app", "deployment"))
                .endMetadata()
                .withNewSpecLike(Pods.spec(Pods.container("main", TWO, 1)))
                .withRestartPolicy(restartPolicy)
                .endSpec()
                .build();
    }

    private static void assertLeftAlone(Pod pod, String asked) {
        assertThat(Pods.limits(pod)).isEqualTo("{" + asked + "=1}").isEqualTo(Pods.requests(pod));
        assertThat(Pods.fallback(pod)).isEmpty();
    }

    private static void assertChanged(Pod pod, String given, String fallback) {
        assertThat(Pods.limits(pod)).isEqualTo("{" + given + "=1}").isEqualTo(Pods.requests(pod));
        assertThat(Pods.fallback(pod)).isEqualTo(fallback);
    }
}
