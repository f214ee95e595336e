package dev.sluice.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ApiServerBackoffTest {

    @Test
    void doublesUpToTheLongestPauseAndBeginsAnewAfterSuccess() {
        ApiServerBackoff backoff = new ApiServerBackoff(Duration.ofMillis(250), Duration.ofSeconds(10), new Random(7));
        for (long due : new long[] {250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000}) {
            assertThat(backoff.next()).isBetween(Duration.ofMillis(due / 2), Duration.ofMillis(due));
        }
        backoff.reset();
        assertThat(backoff.next()).isBetween(Duration.ofMillis(125), Duration.ofMillis(250));
    }
}
