package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Urgent pods get what the scheduler preempts for them: llm-d/llm-d#1677. */
@AgainstControlPlane
class PreemptionIT {

    private static final String GPU = "nvidia.com/gpu";
    private static final String TWO = "nvidia.com/mig-2g.20gb";
    private static final String THREE = "nvidia.com/mig-3g.40gb";

    @Test
    void anUrgentPodIsNeitherCutDownNorRefusedForPodsThatItPreempts(Cluster cluster, Reserving reserving)
            throws Exception {
        cluster.addNode("n1", Map.of(THREE, "2", TWO, "4"));
        reserving.node(cluster, "n2", Map.of(GPU, "2"));
        String refuse = cluster.sibling(Reserving.DENY);
        cluster.priorityClass("spare", -10);
        cluster.priorityClass("urgent", 1_000);
        for (int i = 0; i < 2; i++) {
            assertThat(Pods.limits(
                            cluster.create(prior("spare-" + i, THREE, "spare")).pod()))
                    .contains(THREE);
            assertThat(cluster.create(prior("spare-" + i, GPU, "spare"), refuse).status())
                    .isEqualTo(201);
        }
        Eventually.holds(
                "the spare pods run",
                () -> running(cluster, cluster.namespace()) == 2 && running(cluster, refuse) == 2);

        Api.Answer given = cluster.create(prior("urgent", THREE, "urgent"));
        assertThat(given.status()).isEqualTo(201);
        assertThat(given.warnings()).singleElement().asString().contains("preempts pods of lower priority");
        assertThat(Pods.limits(cluster.pod("urgent"))).contains(THREE);
        assertThat(cluster.pod("urgent").getSpec().getPriority()).isEqualTo(1_000);
        assertThat(cluster.create(prior("urgent", GPU, "urgent"), refuse).status())
                .isEqualTo(201);

        Eventually.holds("both run", () -> isRunning(cluster, cluster.namespace()) && isRunning(cluster, refuse));
        assertThat(running(cluster, cluster.namespace())).isEqualTo(2);
        assertThat(running(cluster, refuse)).isEqualTo(2);
        assertThat(cluster.create(prior("second", GPU, "spare"), refuse).status())
                .as("nobody is preempted for it")
                .isEqualTo(403);
        Eventually.holds(
                "nothing is overcommitted",
                () -> reserving.gateway().metrics().sum("gpu_webhook_ledger_overcommitted_pods") == 0);
    }

    private static boolean isRunning(Cluster cluster, String namespace) {
        Pod pod = cluster.client()
                .pods()
                .inNamespace(namespace)
                .withName("urgent")
                .get();
        return pod != null && pod.getStatus().getPhase().equals("Running");
    }

    private static int running(Cluster cluster, String namespace) {
        return cluster.client()
                .pods()
                .inNamespace(namespace)
                .withField("status.phase", "Running")
                .list()
                .getItems()
                .size();
    }

    private static Pod prior(String name, String device, String priorityClass) {
        return new PodBuilder(Pods.asking(name, device))
                .editSpec()
                .withPriorityClassName(priorityClass)
                .withTerminationGracePeriodSeconds(0L)
                .endSpec()
                .build();
    }
}
