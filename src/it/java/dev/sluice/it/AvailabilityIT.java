package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Availability mode, judged by the scheduler and by what users see. */
@AgainstControlPlane
class AvailabilityIT {

    private static final String TWO = "nvidia.com/mig-2g.20gb";
    private static final String THREE = "nvidia.com/mig-3g.30gb";
    private static final String STAMP = "gpu-webhook.k8s.io/decision";
    private static final String LABEL = "[{\"op\":\"add\",\"path\":\"/metadata/labels\",\"value\":{\"seen\":\"yes\"}}]";

    /** Reference scenario 8. */
    @Test
    void whatIsAllInUseIsWaitedForInOneModeAndPassedOverInTheOther(Cluster cluster, Reserving reserving)
            throws Exception {
        reserving.node(cluster, "worker", Map.of(THREE, "4", TWO, "8"));
        for (int i = 0; i < 4; i++) {
            assertGiven(cluster.create(Pods.asking("user-" + i, THREE)), THREE);
        }
        cluster.awaitPhase("Running", 4);
        String allocatable = cluster.sibling(Reserving.ALLOCATABLE);
        assertGiven(cluster.create(Pods.asking("waiting", THREE), allocatable), THREE);
        Api.Answer moved = cluster.create(Pods.asking("moved", THREE));
        assertThat(Pods.limits(moved.pod())).isEqualTo("{" + TWO + "=1}");
        assertThat(Pods.fallback(moved.pod())).isEqualTo("3g.30gb->2g.20gb");
        assertThat(moved.warnings())
                .containsExactly("container main: no " + THREE + " is free (0 of 4 on 1 node); using " + TWO
                        + " (8 of 8 free on 1 node)");
        cluster.awaitPhase("Running", 5);
        assertThat(waiting(cluster, allocatable)).containsExactly("waiting");
    }

    @Test
    void allRunThatCanRunWhileAllocatableModeLeavesThemWaiting(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "big", Map.of(THREE, "4"));
        reserving.node(cluster, "small", Map.of(TWO, "5"));
        String allocatable = cluster.sibling(Reserving.ALLOCATABLE);
        createMany(cluster, allocatable, 9);
        Eventually.holds(
                "five wait for what is in use",
                () -> waiting(cluster, allocatable).size() == 5);
        var _ = cluster.client()
                .pods()
                .inNamespace(allocatable)
                .withGracePeriod(0)
                .delete();
        Eventually.holds(
                "what they used is free",
                () -> cluster.dryRun(Pods.asking("probe", THREE)).warnings().isEmpty());
        createMany(cluster, cluster.namespace(), 9);
        cluster.awaitPhase("Running", 9);
    }

    private static void createMany(Cluster cluster, String namespace, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            var _ = cluster.create(Pods.asking("pod-" + i, THREE), namespace).pod();
        }
    }

    @Test
    void whoeverWaitsGetsTheSliceThatFreesAndOthersAreRefusedUntilThen(Cluster cluster, Reserving reserving)
            throws Exception {
        reserving.node(cluster, "worker", Map.of(TWO, "1"));
        assertGiven(cluster.create(Pods.asking("first", TWO)), TWO);
        cluster.awaitPhase("Running", 1);
        Api.Answer second = cluster.create(Pods.asking("second", TWO));
        assertThat(Pods.limits(second.pod())).isEqualTo("{" + TWO + "=1}");
        assertThat(second.warnings())
                .containsExactly("container main: no " + TWO + " is free (0 of 1 on 1 node); the pod waits for it");
        assertThat(cluster.unschedulable("second")).contains("Insufficient " + TWO);
        assertRefused(third(cluster));
        cluster.delete(cluster.namespace(), "first");
        Eventually.holds(
                "the second one runs",
                () -> cluster.pod("second").getStatus().getPhase().equals("Running"));
        assertRefused(third(cluster));
    }

    private static Api.Answer third(Cluster cluster) throws Exception {
        return cluster.create(Pods.asking("third", TWO), cluster.sibling(Reserving.DENY));
    }

    @Test
    void aDryRunReservesNothing(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(TWO, "1"));
        for (int i = 0; i < 3; i++) {
            assertGiven(cluster.dryRun(Pods.asking("pod", TWO)), TWO);
        }
        assertGiven(cluster.create(Pods.asking("pod", TWO)), TWO);
        cluster.awaitPhase("Running", 1);
        assertRefused(third(cluster));
    }

    @Test
    void aPodThatOthersChangedMeanwhileReservesOnce(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(TWO, "2"));
        try (Witness witness = new Witness(cluster, _ -> Reply.allow().patch(LABEL)).registered()) {
            var _ = cluster.client().namespaces().withName(witness.namespace()).edit(found -> {
                found.getMetadata().getLabels().remove("gpu-webhook");
                return found;
            });
            Eventually.holds("the gateway is asked there too", () -> {
                double before = reserving.gateway().decisions();
                var _ = witness.dryRun(Pods.asking("early", TWO)).pod();
                return reserving.gateway().decisions() > before;
            });
            double before = reserving.gateway().decisions();
            Pod first = witness.create(Pods.asking("first", TWO)).pod();
            assertThat(reserving.gateway().decisions() - before).isEqualTo(2);
            assertThat(stamp(first)).isEqualTo(stamp(witness.calls().getLast().pod()));
            assertGiven(witness.create(Pods.asking("second", TWO)), TWO);
            assertThat(third(cluster).message()).contains("(0 of 2 on 1 node)");
        }
    }

    @Test
    void aStampThatWasNotGivenForThePodIsWorthNothing(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(TWO, "1"));
        Pod forged = new PodBuilder(Pods.asking("forged", TWO))
                .editMetadata()
                .addToAnnotations(STAMP, "forged")
                .endMetadata()
                .build();
        Pod first = cluster.create(forged).pod();
        assertThat(stamp(first)).isNotEqualTo("forged");
        cluster.awaitPhase("Running", 1);
        Pod copy = new PodBuilder(Pods.asking("copy", TWO))
                .editMetadata()
                .withAnnotations(first.getMetadata().getAnnotations())
                .endMetadata()
                .build();
        Api.Answer copied = cluster.create(copy);
        assertThat(copied.warnings()).singleElement().asString().endsWith("; the pod waits for it");
        assertThat(stamp(copied.pod())).isNotEqualTo(stamp(first));
    }

    @Test
    void whatWaitedBeforeTheGatewayStartedIsNotPromisedAgain(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(TWO, "1"));
        reserving.stop();
        Pod ofAnotherScheduler = new PodBuilder(Pods.asking("early", TWO))
                .editSpec()
                .withSchedulerName("another")
                .endSpec()
                .build();
        assertThat(stamp(cluster.create(ofAnotherScheduler).pod())).isEmpty();
        reserving.restart(cluster);
        reserving.awaitNodes(cluster);
        assertRefused(third(cluster));
        cluster.delete(cluster.namespace(), "early");
        Eventually.holds("the slice is free", () -> third(cluster).status() == 201);
    }

    @Test
    void aPodBehindAGateHoldsNothingUntilTheGateIsGone(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(TWO, "1"));
        Pod gated = new PodBuilder(Pods.asking("gated", TWO))
                .editSpec()
                .withSchedulingGates(new PodSchedulingGate("wait"))
                .endSpec()
                .build();
        assertGiven(cluster.create(gated), TWO);
        assertGiven(cluster.dryRun(Pods.asking("probe", TWO), cluster.sibling(Reserving.DENY)), TWO);
        var _ = cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withName("gated")
                .edit(found -> {
                    found.getSpec().setSchedulingGates(new ArrayList<>());
                    return found;
                });
        cluster.awaitPhase("Running", 1);
        assertRefused(third(cluster));
    }

    /** Without a word, because it is what was asked. */
    private static void assertGiven(Api.Answer answer, String given) {
        assertThat(Pods.limits(answer.pod())).isEqualTo("{" + given + "=1}").isEqualTo(Pods.requests(answer.pod()));
        assertThat(answer.warnings()).isEmpty();
    }

    private static void assertRefused(Api.Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(403);
        assertThat(answer.message())
                .endsWith("container main: no " + TWO + " is free (0 of 1 on 1 node), nor any of its fallbacks;"
                        + " no GPU is free, try again later");
    }

    private static String stamp(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(STAMP, "");
    }

    /** The names of the pods for which the scheduler finds no place. */
    private static List<String> waiting(Cluster cluster, String namespace) {
        return cluster.client().pods().inNamespace(namespace).list().getItems().stream()
                .filter(pod -> Cluster.unschedulable(pod).isPresent())
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }
}
