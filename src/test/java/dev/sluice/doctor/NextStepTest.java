package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.Cause.Evidence;
import dev.sluice.doctor.facts.FirstFive;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NextStepTest {

    private static Optional<String> next(VerdictCode verdict, Evidence... evidence) {
        return NextStep.of(
                verdict,
                new PodVerdict(
                        "team", "waiting", Optional.of(verdict), List.of(), List.of(), "why", List.of(evidence)));
    }

    @Test
    void showsThePodThatDoesNotEndAndNotTheOneThatWaits() {
        assertThat(next(
                        VerdictCode.HELD_BY_TERMINATING,
                        new Evidence("Node", "n1", "is not ready"),
                        new Evidence("Pod", "other/leaving", "terminating on n1")))
                .contains("kubectl -n other get pod leaving -o yaml");
    }

    @Test
    void showsWhoHasTheDevicesThatAreInUse() {
        assertThat(next(VerdictCode.ALL_USED, new Evidence("Node", "n1", "8 allocatable")))
                .contains("sluice capacity --by pod");
    }

    @Test
    void showsTheOwnerThatCannotCreateItsPods() {
        assertThat(NextStep.of(VerdictCode.REQUESTS_WITHOUT_LIMITS, owner()))
                .contains("kubectl -n team get replicaset/web -o yaml");
        assertThat(NextStep.of(VerdictCode.DENIED_AT_ADMISSION, owner()))
                .contains("kubectl -n team describe replicaset/web");
    }

    private static PodVerdict owner() {
        return new PodVerdict("team", "replicaset/web", Optional.empty(), List.of(), List.of(), "why", List.of());
    }

    @Test
    void cordonsTheNodeWhoseKubeletRefusesPodsAgainAndAgain() {
        assertThat(next(VerdictCode.KUBELET_REFUSED, new Evidence("Node", "n1", "3 pods " + RefusalRule.REFUSED)))
                .contains("kubectl cordon n1");
        assertThat(next(VerdictCode.KUBELET_REFUSED)).contains("kubectl -n team get pod waiting -o yaml");
    }

    @Test
    void namesOneNodeOrSeveral() {
        assertThat(FirstFive.nodes(List.of("b"))).isEqualTo("node b");
        assertThat(FirstFive.nodes(List.of("b", "a"))).isEqualTo("nodes a, b");
    }
}
