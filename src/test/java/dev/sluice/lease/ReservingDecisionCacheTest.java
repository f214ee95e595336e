package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DecideRequest;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReservingDecisionCacheTest {

    private final Set<String> ended = new HashSet<>();
    private final ReservingDecisionCache answers = new ReservingDecisionCache((stamp, _) -> !ended.contains(stamp));

    private static DecideRequest question(String uid, String podName, Map<String, String> annotations) {
        PodRequest pod = new PodRequest(
                List.of(),
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                NodeConstraints.NONE,
                new PodRequestAnnotations(PodRequestAnnotations.Parent.ANNOTATIONS, annotations, 0));
        return new DecideRequest(
                uid,
                podName,
                PodOwner.NONE,
                DecideRequest.ReviewEffect.REAL,
                pod,
                NamespacePolicy.of(Policy.DEFAULT),
                new BusRequestDeadline(0));
    }

    private static DecideRequest question(String uid) {
        return question(uid, "train", Map.of());
    }

    private static Verdict.Allowed answer(int warnings) {
        return Verdict.Allowed.unpatched(
                Verdict.Outcome.UNCHANGED,
                Reason.EXHAUSTED,
                Collections.nCopies(warnings, new DecisionCause.NothingReserved("it waits")));
    }

    private void given(DecideRequest question, String stamp, Verdict.Allowed answer) {
        answers.add(ReservingDecisionCache.IssuedDecision.of(question, stamp, answer, /* room= */ true));
    }

    private Optional<Verdict> repeated(DecideRequest question) {
        return answers.sameCall(question).map(ReservingDecisionCache.IssuedDecision::answer);
    }

    @Test
    void repeatsTheAnswerToTheSamePodOnly() {
        given(question("u"), "s", answer(1));

        assertThat(repeated(question("u"))).contains(answer(1));
        assertThat(repeated(question("v"))).isEmpty();
        assertThat(repeated(question("u", "other", Map.of()))).isEmpty();
        assertThat(repeated(question("u", "train", Map.of("a", "b")))).isEmpty();
    }

    @Test
    void knowsThePodThatComesAgainHoweverLargeItsAnswerWas() {
        given(question("u"), "s", answer(1_000));

        assertThat(repeated(question("u"))).isEmpty();
        assertThat(answers.reinvoked(question("v", "train", Map.of(Pod.STAMP, "s"))))
                .isPresent();
    }

    /** What is kept by stamp is not part of the sum, so it must be small whatever the answer is. */
    @Test
    void keepsAnAnswerOnlyWhereItIsCounted() {
        given(question("u"), "s", answer(1));

        assertThat(repeated(question("u"))).contains(answer(1));
        assertThat(answers.reinvoked(question("v", "train", Map.of(Pod.STAMP, "s")))
                        .orElseThrow()
                        .answer())
                .isNull();
    }

    @Test
    void keepsNothingOfAPodThatWasSeen() {
        given(question("u"), "s", answer(1));
        given(question("v"), "t", answer(1));
        ended.add("s");

        assertThat(repeated(question("u"))).isEmpty();
        answers.sweep();
        assertThat(answers.size()).isEqualTo(1);
        assertThat(repeated(question("v"))).isPresent();
    }

    @Test
    void forgetsTheOldestOfTooMany() {
        for (int i = 0; i < 20_000; i++) {
            given(question("u" + i), "s" + i, answer(1));
        }

        assertThat(answers.size()).isEqualTo(16_384);
        assertThat(repeated(question("u0"))).isEmpty();
        assertThat(repeated(question("u19999"))).isPresent();
    }

    @Test
    void keepsNothingUnderAnEndlessName() {
        given(question("u".repeat(2_000)), "s", answer(1));
        given(question("u", "n".repeat(2_000), Map.of()), "t", answer(1));

        assertThat(answers.size()).isZero();
    }
}
