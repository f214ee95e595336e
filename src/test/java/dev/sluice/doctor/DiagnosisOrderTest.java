package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.DiagnosisOrder.Judged;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DiagnosisOrderTest {

    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong clock = new AtomicLong();
    private final DiagnosisLimits limits =
            new DiagnosisLimits(clock::get, Duration.ofSeconds(1), Duration.ofSeconds(20), 1_000_000);

    private static PodDiagnosis verdict(String namespace, String name, String text) {
        return PodDiagnosis.of(new DiagnosisCause.Subject("Pod", namespace, name), text, List.of(), List.of());
    }

    private static void add(DiagnosisOrder turns, String namespace, String name, Runnable rule) {
        turns.add(
                namespace,
                new Judged(
                        () -> {
                            rule.run();
                            return Optional.of(verdict(namespace, name, "judged"));
                        },
                        why -> verdict(namespace, name, why)));
    }

    /** Thinks as a rule does: it looks at the clock in its loop. */
    private Runnable thinking(long nanos) {
        return () -> {
            for (int step = 0; step < 1_000; step++) {
                clock.addAndGet(nanos / 1_000);
                RuleTime.check();
            }
        };
    }

    @Test
    void aRuleThatTakesTooLongIsGivenUpAndNamedAndTheOthersAreApplied() {
        DiagnosisOrder turns = new DiagnosisOrder(limits);
        add(turns, "evil", "p", thinking(5 * SECOND));
        add(turns, "good", "p", thinking(SECOND / 100));

        List<PodDiagnosis> verdicts = turns.judge();

        assertThat(verdicts)
                .extracting(PodDiagnosis::explanation)
                .containsExactlyInAnyOrder("It was not judged, because a rule took longer than 1000 ms.", "judged");
        assertThat(turns.notJudged()).containsOnlyKeys("evil");
    }

    @Test
    void aNamespaceThatIsExpensiveToJudgeDelaysItselfOnly() {
        DiagnosisOrder turns = new DiagnosisOrder(limits);
        for (int i = 0; i < 100; i++) {
            add(turns, "evil", "p" + i, thinking(SECOND / 2));
        }
        for (int i = 0; i < 100; i++) {
            add(turns, "good", "p" + i, thinking(SECOND / 100));
        }

        List<PodDiagnosis> verdicts = turns.judge();

        assertThat(verdicts).hasSize(200);
        assertThat(verdicts)
                .filteredOn(verdict -> verdict.namespace().equals("good"))
                .allSatisfy(verdict -> assertThat(verdict.explanation()).isEqualTo("judged"));
        assertThat(turns.notJudged()).containsOnlyKeys("evil");
    }

    @Test
    void textsOfOneNamespaceDoNotFillTheReport() {
        DiagnosisOrder turns = new DiagnosisOrder(limits);
        for (int i = 0; i < 2_000; i++) {
            String name = "p" + i;
            turns.add(
                    "evil",
                    new Judged(
                            () -> Optional.of(verdict("evil", name, "x".repeat(1_900))),
                            why -> verdict("evil", name, why)));
        }
        add(turns, "good", "p", () -> {});

        List<PodDiagnosis> verdicts = turns.judge();

        assertThat(verdicts.stream()
                        .mapToLong(verdict -> 2L * verdict.explanation().length())
                        .sum())
                .isLessThan(1_500_000);
        assertThat(verdicts).extracting(PodDiagnosis::explanation).contains("judged");
        assertThat(turns.notJudged()).containsOnlyKeys("evil");
    }
}
