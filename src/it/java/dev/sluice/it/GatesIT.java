package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Pods that a queue, such as Kueue, holds by scheduling gates and sends to nodes of its choice later. */
@AgainstControlPlane
class GatesIT {

    private static final String TWO = "nvidia.com/mig-2g.20gb";
    private static final String THREE = "nvidia.com/mig-3g.40gb";
    private static final Taint POOL = new Taint("NoSchedule", "pool", null, "queue");

    /** The pool of the queue lacks the fallback that other nodes offer. */
    @Test
    void aPodRunsAsWrittenOnThePoolThatAQueueChooses(Cluster cluster, Reserving reserving) throws Exception {
        cluster.addNode("pool", Map.of(THREE, "1"), POOL);
        reserving.node(cluster, "other", Map.of(TWO, "4"));
        Api.Answer answer = cluster.create(gated());
        assertThat(Pods.limits(answer.pod())).isEqualTo("{" + THREE + "=1}");
        assertThat(answer.warnings()).singleElement().asString().contains("the pod has scheduling gates");

        var _ = cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withName("gated")
                .edit(pod -> new PodBuilder(pod)
                        .editSpec()
                        .withSchedulingGates()
                        .addToNodeSelector("kubernetes.io/hostname", "pool")
                        .addToTolerations(new Toleration("NoSchedule", POOL.getKey(), "Exists", null, null))
                        .endSpec()
                        .build());
        cluster.awaitPhase("Running", 1);
        assertThat(cluster.pod("gated").getSpec().getNodeName()).isEqualTo("pool");
    }

    @Test
    void aPodIsDecidedWhereThePolicySaysSoAndReservesOnceItsGateIsGone(Cluster cluster, Reserving reserving)
            throws Exception {
        reserving.node(cluster, "other", Map.of(TWO, "4"));
        String namespace = cluster.sibling(Reserving.DECIDE_GATED);
        Pod given = cluster.create(gated(), namespace).pod();
        assertThat(Pods.limits(given)).isEqualTo("{" + TWO + "=1}").isEqualTo(Pods.requests(given));
        assertThat(Pods.fallback(given)).isEqualTo("3g.40gb->2g.20gb");
        assertThat(free(reserving)).isEqualByComparingTo("4");

        var pod = cluster.client().pods().inNamespace(namespace).withName("gated");
        var _ = pod.edit(found ->
                new PodBuilder(found).editSpec().withSchedulingGates().endSpec().build());
        Eventually.holds("the pod runs", () -> pod.get().getStatus().getPhase().equals("Running"));
        Eventually.holds("it is counted", () -> free(reserving).compareTo(BigDecimal.valueOf(3)) == 0);
    }

    private static BigDecimal free(Reserving reserving) throws Exception {
        return Objects.requireNonNull(reserving.gateway().available().get("other"))
                .getOrDefault(TWO, BigDecimal.ZERO);
    }

    private static Pod gated() {
        return new PodBuilder(Pods.asking("gated", THREE))
                .editSpec()
                .withSchedulingGates(List.of(new PodSchedulingGate("kueue.x-k8s.io/admission")))
                .endSpec()
                .build();
    }
}
