package dev.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.event.ClusterEvent;
import dev.sluice.event.PodEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HorizonTest {

    private static final Instant FIRST = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant SECOND = FIRST.plusSeconds(10);
    private static final Instant THIRD = FIRST.plusSeconds(20);

    private final List<ClusterEvent> told = new ArrayList<>();
    private final FreshnessProbe horizon =
            new FreshnessProbe(() -> FIRST, moment -> told.add(new PodEvent.PodsSyncedUpTo(moment)));

    @Test
    void aReadCountsOnceTheWatchHasPassedIt() {
        horizon.reached(5);
        horizon.read(FIRST, 7);
        horizon.reached(6);
        assertThat(told).isEmpty();
        horizon.reached(7);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(FIRST));
        horizon.reached(8);
        assertThat(told).hasSize(1);
    }

    @Test
    void aReadOfWhatWasToldCountsAtOnce() {
        horizon.reached(5);
        horizon.read(FIRST, 5);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(FIRST));
    }

    @Test
    void theLatestOfSeveralReadsThatArePassedIsTold() {
        horizon.read(FIRST, 5);
        horizon.read(SECOND, 6);
        horizon.read(THIRD, 9);
        horizon.reached(8);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(SECOND));
        horizon.reached(9);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(SECOND), new PodEvent.PodsSyncedUpTo(THIRD));
    }

    @Test
    void nothingIsToldWithinAListNorOfAnotherHistory() {
        horizon.reached(900);
        horizon.read(FIRST, 901);
        horizon.listing();
        horizon.read(SECOND, 3);
        assertThat(told).isEmpty();
        horizon.reached(4);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(SECOND));
    }

    @Test
    void readsThatAreNeverPassedDoNotStandInTheWay() {
        horizon.read(FIRST, 1_000);
        for (int i = 0; i < 60; i++) {
            horizon.read(SECOND, 5);
        }
        horizon.reached(5);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(SECOND));
    }

    @Test
    void aListProvesTheMomentItWasAskedFor() {
        assertThat(horizon.listed(FIRST, 7)).isEqualTo(FIRST);
        assertThat(horizon.isOlderThan(Duration.ofSeconds(1))).isFalse();
    }

    @Test
    void aListOfAnOlderVersionProvesNothingUntilAReadSaysTheSame() {
        horizon.reached(900);
        horizon.listing();
        assertThat(horizon.listed(FIRST, 3)).isEqualTo(Instant.MIN);
        assertThat(horizon.isOlderThan(Duration.ofDays(1))).isTrue();
        horizon.reached(3);
        horizon.read(SECOND, 901);
        assertThat(told).isEmpty();
        horizon.read(THIRD, 3);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(THIRD));
    }

    @Test
    void aListOlderThanWhatAReadHasShownProvesNothing() {
        horizon.reached(5);
        horizon.read(FIRST, 900);
        horizon.listing();
        assertThat(horizon.listed(SECOND, 6)).isEqualTo(Instant.MIN);
    }
}
