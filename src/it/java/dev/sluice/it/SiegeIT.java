package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class SiegeIT {

    private static final long MIB = 1024 * 1024;

    @Test
    void withoutAnAttackEveryReviewIsServed() throws Exception {
        try (Siege siege = Siege.on(new GeneratedCluster(50, 500), "")) {
            Served quiet = siege.goodClient().inQuiet(Duration.ofSeconds(2));
            assertThat(quiet.failures()).isEmpty();
            assertThat(quiet.count()).isGreaterThan(50);
            assertThat(quiet.p99()).isPositive();
            assertThat(siege.residentBytes()).isBetween(50 * MIB, 256 * MIB);
            assertThat(siege.peakBytes()).isGreaterThanOrEqualTo(siege.residentBytes());
            assertThat(siege.isAlive()).isTrue();
            assertThat(siege.exitCode()).isEmpty();
            assertThat(siege.metrics().sum("gpu_webhook_decisions_total", "decision=\"changed\""))
                    .isGreaterThanOrEqualTo(quiet.count());
            System.out.println("siege in quiet: " + quiet);
        }
    }

    @Test
    void anEndOfTheProcessIsSeen() throws Exception {
        try (Siege siege = Siege.on(new GeneratedCluster(1, 0), "")) {
            ProcessHandle.of(siege.pid()).orElseThrow().destroyForcibly();
            Eventually.holds("the process has ended", () -> !siege.isAlive());
            assertThat(siege.exitCode()).hasValue(137);
        }
    }
}
