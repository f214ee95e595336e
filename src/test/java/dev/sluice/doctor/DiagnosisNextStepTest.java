package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.text.FirstFiveNames;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DiagnosisNextStepTest {

    private static Optional<String> next(DiagnosisCode verdict, Evidence... evidence) {
        return DiagnosisNextStep.of(
                verdict,
                new PodDiagnosis(
                        "team", "waiting", Optional.of(verdict), List.of(), List.of(), "why", List.of(evidence)));
    }

    @Test
    void showsThePodThatDoesNotEndAndNotTheOneThatWaits() {
        assertThat(next(
                        DiagnosisCode.HELD_BY_TERMINATING,
                        new Evidence("Node", "n1", "is not ready"),
                        new Evidence("Pod", "other/leaving", "terminating on n1")))
                .contains("kubectl -n other get pod leaving -o yaml");
    }

    @Test
    void showsWhoHasTheDevicesThatAreInUse() {
        assertThat(next(DiagnosisCode.ALL_USED, new Evidence("Node", "n1", "8 allocatable")))
                .contains("sluice capacity --by pod");
    }

    @Test
    void showsTheOwnerThatCannotCreateItsPods() {
        assertThat(DiagnosisNextStep.of(DiagnosisCode.REQUESTS_WITHOUT_LIMITS, owner()))
                .contains("kubectl -n team get replicaset/web -o yaml");
        assertThat(DiagnosisNextStep.of(DiagnosisCode.DENIED_AT_ADMISSION, owner()))
                .contains("kubectl -n team describe replicaset/web");
    }

    private static PodDiagnosis owner() {
        return new PodDiagnosis("team", "replicaset/web", Optional.empty(), List.of(), List.of(), "why", List.of());
    }

    @Test
    void cordonsTheNodeWhoseKubeletRefusesPodsAgainAndAgain() {
        assertThat(next(
                        DiagnosisCode.KUBELET_REFUSED,
                        new Evidence("Node", "n1", "3 pods " + KubeletRefusalRule.REFUSED)))
                .contains("kubectl cordon n1");
        assertThat(next(DiagnosisCode.KUBELET_REFUSED)).contains("kubectl -n team get pod waiting -o yaml");
    }

    @Test
    void showsTheLogOfTheInitContainerThatWaitsOrFails() {
        String fact = "plugin pod gpu/x is Pending, not ready: ";

        assertThat(next(
                        DiagnosisCode.PLUGIN_STOPPED,
                        new Evidence("Pod", "gpu/x", fact + "init container driver-validation has not ended")))
                .contains("kubectl -n gpu logs x -c driver-validation");
        assertThat(next(
                        DiagnosisCode.PLUGIN_STOPPED,
                        new Evidence("Pod", "gpu/x", fact + "CrashLoopBackOff of its init container driver-manager")))
                .contains("kubectl -n gpu logs x -c driver-manager");
        assertThat(next(
                        DiagnosisCode.PLUGIN_STOPPED,
                        new Evidence("Pod", "gpu/x", fact + "ImagePullBackOff of its init container driver-manager")))
                .contains("kubectl -n gpu describe pod x");
    }

    @Test
    void showsTheLogOfThePluginOrOfWhatItWaitsFor() {
        Evidence node = new Evidence("Node", "n1", "no device plugin has registered one");
        Evidence plugin = new Evidence("Pod", "gpu/plugin-x", "plugin pod gpu/plugin-x is Running, ready");
        Evidence driver = new Evidence("Pod", "gpu/driver-x", "plugin pod gpu/driver-x is Pending, not ready");

        assertThat(next(DiagnosisCode.PLUGIN_NOT_REGISTERED, node, plugin)).contains("kubectl -n gpu logs plugin-x");
        assertThat(next(DiagnosisCode.PLUGIN_NOT_REGISTERED, node, plugin, driver))
                .contains("kubectl -n gpu describe pod driver-x");
        assertThat(next(DiagnosisCode.PLUGIN_STOPPED, node))
                .contains("kubectl get pods -A -o wide --field-selector spec.nodeName=n1");
    }

    @Test
    void showsTheDaemonSetThatWantsNoNodeAndNoPodOfThatName() {
        assertThat(next(
                        DiagnosisCode.PLUGIN_NOT_REGISTERED,
                        new Evidence("Pod", "team/waiting", "requests nvidia.com/gpu: 1"),
                        new Evidence("DaemonSet", "gpu/plugin", "wants no node")))
                .contains("kubectl -n gpu describe daemonset plugin");
    }

    @Test
    void showsClassesAndSlicesWhereTheSchedulerMakesTheClaims() {
        assertThat(next(DiagnosisCode.DRA_CLAIM_UNSATISFIED, new Evidence("DeviceClass", "gpu", "maps nvidia.com/gpu")))
                .contains("kubectl get deviceclasses,resourceslices");
        assertThat(next(DiagnosisCode.DRA_CLAIM_UNSATISFIED, new Evidence("ResourceClaim", "team/c", "does not exist")))
                .contains("kubectl -n team get resourceclaims -o wide");
    }

    @Test
    void namesOneNodeOrSeveral() {
        assertThat(FirstFiveNames.nodes(List.of("b"))).isEqualTo("node b");
        assertThat(FirstFiveNames.nodes(List.of("b", "a"))).isEqualTo("nodes a, b");
    }
}
