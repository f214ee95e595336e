package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TenantRequestLimitTest {

    private Instant now = Instant.EPOCH;
    private final TenantRequestLimit questions = new TenantRequestLimit(() -> now);

    private int asked(String namespace, int times) {
        int allowed = 0;
        for (int i = 0; i < times; i++) {
            if (questions.begin(namespace)) {
                allowed++;
                questions.end(namespace);
            }
        }
        return allowed;
    }

    @Test
    void aNamespaceHasAFewQuestionsAtOnceAndOthersHaveTheirs() {
        for (int i = 0; i < TenantRequestLimit.MOST_AT_ONCE; i++) {
            assertThat(questions.begin("team-a")).isTrue();
        }
        assertThat(questions.begin("team-a")).isFalse();
        assertThat(questions.begin("team-b")).isTrue();

        questions.end("team-a");
        assertThat(questions.begin("team-a")).isTrue();
    }

    @Test
    void aNamespaceAsksAtALimitedRateAndOthersAtTheirs() {
        assertThat(asked("team-a", 1_000)).isEqualTo((int) TenantRequestLimit.BURST);
        assertThat(asked("team-b", 1)).isEqualTo(1);

        now = now.plus(Duration.ofSeconds(1));
        assertThat(asked("team-a", 1_000)).isEqualTo((int) TenantRequestLimit.A_SECOND);
    }

    @Test
    void allNamespacesTogetherHaveALimit() {
        for (int i = 0; i < TenantRequestLimit.MOST_OF_ALL; i++) {
            assertThat(questions.begin("team-" + i)).isTrue();
        }
        assertThat(questions.begin("late")).isFalse();

        questions.end("team-0");
        assertThat(questions.begin("late")).isTrue();
    }
}
