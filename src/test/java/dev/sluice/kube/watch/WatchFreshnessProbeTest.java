package dev.sluice.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.PodEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchFreshnessProbeTest {

    private static final Instant FIRST = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant SECOND = FIRST.plusSeconds(10);
    private static final Instant THIRD = FIRST.plusSeconds(20);

    private final List<ClusterEvent> told = new ArrayList<>();
    private final WatchFreshnessProbe probe =
            new WatchFreshnessProbe(() -> FIRST, moment -> told.add(new PodEvent.PodsSyncedUpTo(moment)));

    @Test
    void aReadCountsOnceTheWatchHasPassedIt() {
        probe.reached(5);
        probe.read(FIRST, 7);
        probe.reached(6);
        assertThat(told).isEmpty();
        probe.reached(7);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(FIRST));
        probe.reached(8);
        assertThat(told).hasSize(1);
    }

    /** It may be for changes that are still to come. */
    @Test
    void aBookmarkIsBelievedUpToWhatTheApiServerHasReturned() {
        var _ = probe.listEnds(FIRST, 5);
        assertThat(probe.believed(9)).isEqualTo(5);
        probe.read(SECOND, 7);
        assertThat(probe.believed(9)).isEqualTo(7);
        assertThat(probe.believed(6)).isEqualTo(6);
    }

    @Test
    void withoutReadsThereIsNothingToCompareABookmarkWith() {
        assertThat(WatchFreshnessProbe.withoutReads(() -> FIRST).believed(9)).isEqualTo(9);
    }

    @Test
    void aReadOfWhatWasToldCountsAtOnce() {
        probe.reached(5);
        probe.read(FIRST, 5);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(FIRST));
    }

    @Test
    void theLatestOfSeveralReadsThatArePassedIsTold() {
        probe.read(FIRST, 5);
        probe.read(SECOND, 6);
        probe.read(THIRD, 9);
        probe.reached(8);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(SECOND));
        probe.reached(9);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(SECOND), new PodEvent.PodsSyncedUpTo(THIRD));
    }

    @Test
    void nothingIsToldWithinAListNorOfAnotherHistory() {
        probe.reached(900);
        probe.read(FIRST, 901);
        probe.listBegins();
        probe.read(SECOND, 3);
        assertThat(told).isEmpty();
        probe.reached(4);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(SECOND));
    }

    @Test
    void readsThatAreNeverPassedDoNotStandInTheWay() {
        probe.read(FIRST, 1_000);
        for (int i = 0; i < 60; i++) {
            probe.read(SECOND, 5);
        }
        probe.reached(5);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(SECOND));
    }

    @Test
    void aListProvesTheMomentItWasAskedFor() {
        assertThat(probe.listEnds(FIRST, 7)).isEqualTo(FIRST);
        assertThat(probe.isOlderThan(Duration.ofSeconds(1))).isFalse();
    }

    @Test
    void aListOfAnOlderVersionProvesNothingUntilAReadSaysTheSame() {
        probe.reached(900);
        probe.listBegins();
        assertThat(probe.listEnds(FIRST, 3)).isEqualTo(Instant.MIN);
        assertThat(probe.isOlderThan(Duration.ofDays(1))).isTrue();
        probe.reached(3);
        probe.read(SECOND, 901);
        assertThat(told).isEmpty();
        probe.read(THIRD, 3);
        assertThat(told).containsExactly(new PodEvent.PodsSyncedUpTo(THIRD));
    }

    @Test
    void aListOlderThanWhatAReadHasShownProvesNothing() {
        probe.reached(5);
        probe.read(FIRST, 900);
        probe.listBegins();
        assertThat(probe.listEnds(SECOND, 6)).isEqualTo(Instant.MIN);
    }
}
