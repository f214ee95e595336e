package dev.sluice.record.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.record.BypassCause;
import dev.sluice.record.BypassCounts;
import dev.sluice.record.BypassCounts.BypassKey;
import dev.sluice.record.BypassedPod;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BypassCounterTest {

    private final BypassCounter counter = new BypassCounter();

    private static BypassedPod pod(String fullName) {
        return new BypassedPod(fullName, BypassCause.NOT_ASKED, Instant.EPOCH);
    }

    @Test
    void namespacesBeyondTheLimitAreCountedTogether() {
        for (int i = 0; i < BypassCounter.MOST_NAMESPACES; i++) {
            assertThat(counter.count(pod("team-" + i + "/a")).namespace()).isEqualTo("team-" + i);
        }
        assertThat(counter.count(pod("one-more/a"))).isEqualTo(new BypassKey("(other)", BypassCause.NOT_ASKED));
        assertThat(counter.count(pod("another/a")).namespace()).isEqualTo("(other)");
        assertThat(counter.count(pod("team-7/b")).namespace()).isEqualTo("team-7");

        BypassCounts report = counter.report(Optional.empty());
        assertThat(report.counts())
                .hasSize(BypassCounter.MOST_NAMESPACES + 1)
                .containsEntry(new BypassKey("team-7", BypassCause.NOT_ASKED), 2L)
                .containsEntry(new BypassKey("(other)", BypassCause.NOT_ASKED), 2L);
    }

    @Test
    void theLastOnesAreKept() {
        for (int i = 0; i < 2 * BypassCounter.MOST_KEPT; i++) {
            var _ = counter.count(pod("team/p" + i));
        }

        BypassCounts report = counter.report(Optional.empty());
        assertThat(report.newest()).hasSize(BypassCounter.MOST_KEPT);
        assertThat(report.newest().getFirst().name()).isEqualTo("p199");
        assertThat(report.newest().getLast().name()).isEqualTo("p100");
    }
}
