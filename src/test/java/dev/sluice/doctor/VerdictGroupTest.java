package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VerdictGroupTest {

    private static final VerdictCode LASTING = VerdictCode.CONSTRAINT_MISMATCH;
    private static final VerdictCode PASSING = VerdictCode.ALL_USED;

    /** Of pods with these verdicts; null is a pod that could not be judged. */
    private static String headline(@Nullable VerdictCode... verdicts) {
        List<PodVerdict> pods = Stream.of(verdicts)
                .map(code -> new PodVerdict("ml", "p", Optional.ofNullable(code), List.of(), List.of(), "", List.of()))
                .toList();
        return VerdictGroup.headline(pods, Optional.empty());
    }

    @Test
    void podsThatWaitForGoodAreCounted() {
        assertThat(headline(LASTING)).isEqualTo("1 of 1 GPU pod needs attention.");
        assertThat(headline(LASTING, PASSING, LASTING)).isEqualTo("2 of 3 GPU pods need attention.");
        assertThat(headline(LASTING, null)).isEqualTo("1 of 2 GPU pods needs attention.");
    }

    @Test
    void podWhoseFurtherCauseLastsIsCounted() {
        assertThat(VerdictGroup.headline(
                        List.of(with(PASSING, LASTING), with(PASSING, VerdictCode.MIG_CHANGE_RUNNING)),
                        Optional.empty()))
                .isEqualTo("1 of 2 GPU pods needs attention.");
    }

    private static PodVerdict with(VerdictCode first, VerdictCode further) {
        return new PodVerdict("ml", "p", Optional.of(first), List.of(further), List.of(), "", List.of());
    }

    @Test
    void nothingToDoIsSaid() {
        assertThat(headline()).isEqualTo("No pod asks for a GPU.");
        assertThat(headline(VerdictCode.HEALTHY)).isEqualTo("1 GPU pod runs, or waits; none needs attention.");
        assertThat(headline(VerdictCode.HEALTHY, PASSING)).isEqualTo("2 GPU pods run, or wait; none needs attention.");
    }

    @Test
    void podsThatNobodyCouldJudgeAreNoGoodNews() {
        assertThat(headline(null, null)).isEqualTo("2 of 2 GPU pods could not be judged.");
        assertThat(headline(null, PASSING))
                .isEqualTo("1 of 2 GPU pods could not be judged; none of the others needs attention.");
    }
}
