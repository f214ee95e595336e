package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whoever creates pods that never appear takes no more than a share, and a stamp is no ticket for others. */
@AgainstControlPlane
class HoardingIT {

    private static final String TWO = "nvidia.com/mig-2g.20gb";
    /** What the pods of one test were promised outlives it, so the other asks for something else. */
    private static final String OTHER = "amd.com/gpu";

    private static final String STAMP = "gpu-webhook.k8s.io/decision";
    private static final int DEVICES = 8;
    private static final int ROUNDS = 3;

    /** Point 12 of the abuses: they left nothing to anybody for 34 s, again and again. */
    @Test
    void podsThatAQuotaRefusesLeaveHalfToAnotherNamespace(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(TWO, Integer.toString(DEVICES)));
        String hoard = QuotaIT.withoutPods(cluster, cluster.sibling("-full"));
        String other = cluster.sibling(Reserving.DENY);
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < 25; i++) {
                assertThat(cluster.create(Pods.asking("pod-" + i, TWO), hoard).status())
                        .isEqualTo(403);
            }
            assertThat(cluster.dryRun(Pods.asking("dry", TWO), other).status())
                    .as("a dry run is told the same, and changes nothing")
                    .isEqualTo(201);
            List<Integer> answers = new ArrayList<>();
            for (int i = 0; i <= DEVICES / 2; i++) {
                answers.add(cluster.create(Pods.asking("round-" + round + "-" + i, TWO), other)
                        .status());
            }
            assertThat(answers).as("round " + round).containsExactly(201, 201, 201, 201, 403);
            Eventually.holds("half of the devices are in use", () -> running(cluster, other) == DEVICES / 2);
            for (int i = 0; i < DEVICES / 2; i++) {
                cluster.delete(other, "round-" + round + "-" + i);
            }
            Eventually.holds(
                    "the pods are gone",
                    () -> cluster.client()
                            .pods()
                            .inNamespace(other)
                            .list()
                            .getItems()
                            .isEmpty());
        }
        Eventually.holds(
                "giving way is counted",
                () -> reserving.gateway().metrics().sum("gpu_webhook_ledger_decisions_gave_way_total") > 0);
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

    /**
     * Point 13: the pod for which the stamp was given never appears, as if the watch were behind for good. The API
     * server tells in {@code managedFields} that it was the author who wrote the stamp into the others.
     */
    @Test
    void aStampThatWasReadFromAnAnswerIsNoTicketForOtherPods(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(OTHER, Integer.toString(DEVICES)));
        try (Witness witness =
                new Witness(cluster, _ -> Reply.allow()).registered().withGateway(reserving.gateway())) {
            var _ = QuotaIT.withoutPods(cluster, witness.namespace());
            long promised = isPromised(witness.create(generated(""))) ? 1 : 0;
            String stamp = stamp(witness.calls().getLast().pod());
            assertThat(stamp).isNotEmpty();
            for (int i = 0; i < 25; i++) {
                promised += isPromised(witness.create(generated(stamp))) ? 1 : 0;
                assertThat(stamp(witness.calls().getLast().pod())).isNotEmpty().isNotEqualTo(stamp);
            }
            assertThat(promised).isEqualTo(DEVICES);
        }
    }

    private static Pod generated(String stamp) {
        PodBuilder pod = new PodBuilder(Pods.asking("", OTHER))
                .editMetadata()
                .withName(null)
                .withGenerateName("train-")
                .endMetadata();
        return stamp.isEmpty()
                ? pod.build()
                : pod.editMetadata()
                        .addToAnnotations(STAMP, stamp)
                        .endMetadata()
                        .build();
    }

    private static boolean isPromised(Api.Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(403);
        return answer.warnings().stream().noneMatch(warning -> warning.contains("the pod waits"));
    }

    private static String stamp(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(STAMP, "");
    }
}
