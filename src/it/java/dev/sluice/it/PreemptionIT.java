package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Urgent pods get what the scheduler preempts for them: llm-d/llm-d#1677. */
@AgainstControlPlane
class PreemptionIT {

    private static final String GPU = "nvidia.com/gpu";
    /** Promises to pods outlive their test, so the other test asks for another device. */
    private static final String AMD = "amd.com/gpu";

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

        Api.Answer ignoring =
                cluster.create(prior("urgent", THREE, "urgent"), cluster.sibling(Reserving.IGNORE_PREEMPTION));
        assertThat(Pods.limits(ignoring.pod())).isEqualTo("{" + TWO + "=1}");

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

    /** The scheduler nominates a node for the urgent pod, which waits there until its victim is gone. */
    @Test
    void whatAVictimHoldsWhileItTerminatesIsPromisedToNobodyElse(Cluster cluster, Reserving reserving)
            throws Exception {
        reserving.node(cluster, "worker", Map.of(AMD, "1"));
        String refuse = cluster.sibling("-victim" + Reserving.DENY);
        cluster.priorityClass("spare", -10);
        cluster.priorityClass("urgent", 1_000);
        Pod lingering = new PodBuilder(prior("spare", AMD, "spare"))
                .editMetadata()
                .addToAnnotations("it.sluice.dev/fate", "lingering")
                .endMetadata()
                .editSpec()
                .withTerminationGracePeriodSeconds(600L)
                .endSpec()
                .build();
        assertThat(cluster.create(lingering, refuse).status()).isEqualTo(201);
        Eventually.holds("the spare pod runs", () -> running(cluster, refuse) == 1);

        assertThat(cluster.create(prior("urgent", AMD, "urgent"), refuse).status())
                .isEqualTo(201);
        Eventually.holds(
                "the scheduler has nominated the node",
                () -> Objects.equals(urgent(cluster, refuse).getStatus().getNominatedNodeName(), "worker"));
        for (String priorityClass : List.of("spare", "urgent")) {
            assertThat(cluster.dryRun(prior("next", AMD, priorityClass), refuse).status())
                    .as(priorityClass)
                    .isEqualTo(403);
        }
        cluster.delete(refuse, "spare");
        Eventually.holds("the urgent pod runs", () -> isRunning(cluster, refuse));
        Eventually.holds(
                "nothing is overcommitted",
                () -> reserving.gateway().metrics().sum("gpu_webhook_ledger_overcommitted_pods") == 0);
    }

    private static Pod urgent(Cluster cluster, String namespace) {
        return cluster.client().pods().inNamespace(namespace).withName("urgent").get();
    }

    private static boolean isRunning(Cluster cluster, String namespace) {
        Pod pod = urgent(cluster, namespace);
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
