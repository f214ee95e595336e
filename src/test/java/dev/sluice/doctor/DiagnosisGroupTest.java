package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DiagnosisGroupTest {

    private static final DiagnosisCode LASTING = DiagnosisCode.CONSTRAINT_MISMATCH;
    private static final DiagnosisCode PASSING = DiagnosisCode.ALL_USED;

    /** Of pods with these verdicts; null is a pod that could not be judged. */
    private static String headline(@Nullable DiagnosisCode... verdicts) {
        List<PodDiagnosis> pods = Stream.of(verdicts)
                .map(code ->
                        new PodDiagnosis("ml", "p", Optional.ofNullable(code), List.of(), List.of(), "", List.of()))
                .toList();
        return DiagnosisGroup.headline(pods, Optional.empty());
    }

    @Test
    void podsThatWaitForGoodAreCounted() {
        assertThat(headline(LASTING)).isEqualTo("1 of 1 GPU pod needs attention.");
        assertThat(headline(LASTING, PASSING, LASTING)).isEqualTo("2 of 3 GPU pods need attention.");
        assertThat(headline(LASTING, null)).isEqualTo("1 of 2 GPU pods needs attention.");
    }

    @Test
    void podWhoseFurtherCauseLastsIsCounted() {
        assertThat(DiagnosisGroup.headline(
                        List.of(with(PASSING, LASTING), with(PASSING, DiagnosisCode.MIG_CHANGE_RUNNING)),
                        Optional.empty()))
                .isEqualTo("1 of 2 GPU pods needs attention.");
    }

    private static PodDiagnosis with(DiagnosisCode first, DiagnosisCode further) {
        return new PodDiagnosis("ml", "p", Optional.of(first), List.of(further), List.of(), "", List.of());
    }

    private static PodDiagnosis waiting(DiagnosisCode code, String name, String why) {
        return new PodDiagnosis(
                "ml", name, Optional.of(code), List.of(), List.of(), "Pod ml/" + name + " waits: " + why, List.of());
    }

    private static List<String> groups(PodDiagnosis... pods) {
        return DiagnosisGroup.of(List.of(pods)).stream()
                .map(group -> group.title() + ": " + group.names())
                .toList();
    }

    @Test
    void podsThatNeedDifferentRepairsAreDifferentGroups() {
        assertThat(groups(
                        waiting(LASTING, "api-0", "no Secret"),
                        waiting(LASTING, "web-1", "no image for 59 minutes"),
                        waiting(LASTING, "web-2", "no image for 60 minutes")))
                .containsExactly(
                        "ConstraintMismatch: 2 pods: ml/web-1, ml/web-2", "ConstraintMismatch: 1 pod: ml/api-0");
    }

    @Test
    void podsThatOnlyWaitAreOneGroup() {
        assertThat(groups(waiting(PASSING, "a", "n1 is full"), waiting(PASSING, "b", "another is full")))
                .containsExactly("AllUsed: 2 pods: ml/a, ml/b");
    }

    @Test
    void manyExplanationsDoNotMakeManyGroups() {
        PodDiagnosis[] pods = IntStream.range(0, 40)
                .mapToObj(i -> waiting(LASTING, "p" + i, "x".repeat(i + 1)))
                .toArray(PodDiagnosis[]::new);

        assertThat(groups(pods)).hasSize(5);
        assertThat(DiagnosisGroup.of(List.of(pods)))
                .flatExtracting(DiagnosisGroup::pods)
                .containsExactlyInAnyOrder(pods);
    }

    @Test
    void oneVerdictIsTheHeadline() {
        assertThat(DiagnosisGroup.title(with(DiagnosisCode.PLUGIN_STOPPED, PASSING)))
                .isEqualTo("PluginStopped, also AllUsed");
        PodDiagnosis tainted =
                new PodDiagnosis("ml", "p", Optional.of(LASTING), List.of(PASSING), List.of("taint"), "", List.of());
        assertThat(DiagnosisGroup.title(tainted)).isEqualTo("ConstraintMismatch (taint), also AllUsed");
    }

    @Test
    void nothingToDoIsSaid() {
        assertThat(headline()).isEqualTo("No pod asks for a GPU.");
        assertThat(headline(DiagnosisCode.HEALTHY)).isEqualTo("1 GPU pod runs, or waits; none needs attention.");
        assertThat(headline(DiagnosisCode.HEALTHY, PASSING))
                .isEqualTo("2 GPU pods run, or wait; none needs attention.");
    }

    @Test
    void podsThatNobodyCouldJudgeAreNoGoodNews() {
        assertThat(headline(null, null)).isEqualTo("2 of 2 GPU pods could not be judged.");
        assertThat(headline(null, PASSING))
                .isEqualTo("1 of 2 GPU pods could not be judged; none of the others needs attention.");
    }
}
