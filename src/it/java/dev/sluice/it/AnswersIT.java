package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Facts the gateway is built on: what becomes of the words in an answer. */
@AgainstControlPlane
class AnswersIT {

    private static final String MIG = "nvidia.com/mig-2g.20gb";
    private static final Pod POD = Pods.asking("pod", MIG);

    @Test
    void everyWarningReachesTheClientButEqualOnesOnce(Cluster cluster) throws Exception {
        assertThat(warnings(cluster, "one", "two", "one")).containsExactly("one", "two");
    }

    @Test
    void aWarningWithAControlCharacterIsDropped(Cluster cluster) throws Exception {
        assertThat(warnings(cluster, "line\nbreak", "tab\there", "whole")).containsExactly("whole");
    }

    @Test
    void aLongWarningIsWholeWhileAllOfThemAreShort(Cluster cluster) throws Exception {
        assertThat(warnings(cluster, "x".repeat(1_000))).containsExactly("x".repeat(1_000));
    }

    @Test
    void beyond4096CharactersInAllEveryWarningIsCutTo256(Cluster cluster) throws Exception {
        String[] long300 = IntStream.range(0, 20)
                .mapToObj(i -> (char) ('a' + i) + "x".repeat(299))
                .toArray(String[]::new);
        List<String> seen = warnings(cluster, long300);
        assertThat(seen).isNotEmpty().allSatisfy(warning -> assertThat(warning).hasSize(256));
        assertThat(seen.stream().mapToInt(String::length).sum()).isLessThanOrEqualTo(4_096);
    }

    private static List<String> warnings(Cluster cluster, String... warnings) throws Exception {
        try (Witness witness = new Witness(cluster, _ -> Reply.allow().warn(warnings)).registered()) {
            return witness.create(POD).warnings();
        }
    }

    @Test
    void aDenialIsForbiddenInTheWebhooksNameAndCarriesItsWarnings(Cluster cluster) throws Exception {
        try (Witness witness = new Witness(
                        cluster, _ -> Reply.deny("no such luck").warn("a word").audit("reason", "Luck"))
                .registered()) {
            Api.Answer answer = witness.create(POD);
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.json().path("reason").asText()).isEqualTo("Forbidden");
            assertThat(answer.message())
                    .isEqualTo("admission webhook \"witness-0.it.sluice.dev\" denied the request: no such luck");
            assertThat(answer.warnings()).containsExactly("a word");
            assertThat(AuditEvent.withAnnotation(cluster.plane(), witness.namespace(), "/reason")
                            .annotations())
                    .containsEntry("witness-0.it.sluice.dev/reason", "Luck");
        }
    }

    /** The API server limits warnings only, so that a denial needs no cut. */
    @Test
    void aLongDenialIsWhole(Cluster cluster) throws Exception {
        String sentence = "x".repeat(16_384);
        try (Witness witness = new Witness(cluster, _ -> Reply.deny(sentence)).registered()) {
            assertThat(witness.create(POD).message()).endsWith(" denied the request: " + sentence);
        }
    }

    @Test
    void anAnswerUnderAnotherUidIsAFailedCall(Cluster cluster) throws Exception {
        try (Witness witness = new Witness(cluster, _ -> Reply.deny("never").uid("another")).registered()) {
            assertThat(witness.create(POD).status()).isEqualTo(201);
        }
    }

    @Test
    void theAuditLogSaysWhatTheGatewayDecidedWhyAndHow(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of("nvidia.com/gpu", "4"));
        var _ = cluster.create(POD).pod();
        Map<String, String> annotations = AuditEvent.withAnnotation(
                        cluster.plane(), cluster.namespace(), "gpu-allocation.k8s.io/decision")
                .annotations();
        assertThat(annotations)
                .containsEntry("gpu-allocation.k8s.io/decision", "changed")
                .containsEntry("gpu-allocation.k8s.io/reason", "NotOffered");
        assertThat(annotations.get("mutation.webhook.admission.k8s.io/round_0_index_0"))
                .contains("\"webhook\":\"gpu-allocation.k8s.io\"", "\"mutated\":true");
        assertThat(annotations.get("patch.webhook.admission.k8s.io/round_0_index_0"))
                .contains("nvidia.com~1gpu", "\"patchType\":\"JSONPatch\"");
        assertThat(annotations).doesNotContainKey("failed-open.mutation.webhook.admission.k8s.io/round_0_index_0");
    }

    @Test
    void theUserReadsOneSentenceInTheWarning(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of("nvidia.com/gpu", "4"));
        assertThat(cluster.create(POD).warnings())
                .containsExactly("container main: no node offers " + MIG + "; using nvidia.com/gpu (4 on 1 node)");
    }

    @Test
    void kubectlShowsWarningsAndDenials(Cluster cluster) throws Exception {
        String noGpu = "container main: " + MIG + " was asked, but no node of this cluster has any GPU resource";
        Command.Ended denied = apply(cluster);
        assertThat(denied.code()).isEqualTo(1);
        assertThat(denied.complaint())
                .contains("(Forbidden)")
                .contains("admission webhook \"gpu-allocation.k8s.io\" denied the request: " + noGpu);
        cluster.node("worker", Map.of("nvidia.com/gpu", "4"));
        Command.Ended changed = apply(cluster);
        assertThat(changed.output()).isEqualTo("pod/pod created\n");
        assertThat(changed.complaint())
                .isEqualTo("Warning: container main: no node offers " + MIG + "; using nvidia.com/gpu (4 on 1 node)\n");
    }

    private static Command.Ended apply(Cluster cluster) {
        return cluster.plane()
                .kubectl("--namespace=" + cluster.namespace(), "create", "-f", "-")
                .reading(Pods.json(POD))
                .run();
    }
}
