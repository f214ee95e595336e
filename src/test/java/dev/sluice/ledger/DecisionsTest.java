package dev.sluice.ledger;

import static dev.sluice.ledger.Story.START;
import static dev.sluice.ledger.Story.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.ledger.placement.PlacementRequest;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A decision is Reserved until its pod is seen or can no longer appear. */
class DecisionsTest {

    private final Story story = new Story();

    @BeforeEach
    void oneNode() {
        story.node("n1", 4);
    }

    private void decided(String stamp, long devices) {
        story.decided(stamp, gpus(devices), NodeConstraints.NONE);
    }

    @Test
    void aDecisionIsReservedAtOnce() {
        decided("s1", 3);
        assertThat(story.reserved("n1")).isEqualTo(3);
        assertThat(story.hasRoom(2)).isFalse();
        assertThat(story.ledger.isAssumed("s1", "team")).isTrue();
        assertThat(story.ledger.statistics().assumed()).isEqualTo(1);
        assertThat(story.ledger.podUsages())
                .containsExactly(new LedgerPodUsage("a new pod in team", null, "n1", gpus(3)));
    }

    @Test
    void aPodWithItsStampTakesWhatWasDecidedForIt() {
        decided("s1", 3);
        story.stamped("team/a", gpus(3), "s1");
        assertThat(story.reserved("n1")).isEqualTo(3);
        assertThat(story.ledger.isAssumed("s1", "team")).isFalse();
        assertThat(story.ledger.podUsages()).containsExactly(new LedgerPodUsage("team/a", null, "n1", gpus(3)));
        story.syncedUpTo(Duration.ofDays(1));
        assertThat(story.reserved("n1")).as("stays while the pod is seen").isEqualTo(3);
    }

    @Test
    void aPodFirstSeenBoundCountsOnce() {
        decided("s1", 3);
        story.tell(new PodEvent.PodSeen(story.pod("team/a", new Pod.Place.Bound("n1"), gpus(3), "s1")));
        assertThat(story.reserved("n1")).isZero();
        assertThat(story.allocated("n1")).isEqualTo(3);
        assertThat(story.ledger.statistics().assumed()).isZero();
    }

    @Test
    void aCopiedStampIsWorthNothing() {
        decided("s1", 1);
        story.stamped("team/a", gpus(1), "s1");
        story.stamped("team/b", gpus(1), "s1");
        assertThat(story.reserved("n1")).isEqualTo(2);
        story.removed("team/b");
        assertThat(story.reserved("n1")).isEqualTo(1);
        story.removed("team/a");
        assertThat(story.reserved("n1")).isZero();
    }

    @Test
    void aStampIsWorthNothingInAnotherNamespace() {
        decided("s1", 1);
        assertThat(story.ledger.isAssumed("s1", "other")).isFalse();
        story.stamped("other/a", gpus(1), "s1");
        assertThat(story.reserved("n1")).isEqualTo(2);
        assertThat(story.ledger.isAssumed("s1", "team")).isTrue();
    }

    @Test
    void aForgedStampIsWorthNothing() {
        decided("s1", 1);
        story.stamped("team/a", gpus(1), "forged");
        assertThat(story.reserved("n1")).isEqualTo(2);
        assertThat(story.ledger.isAssumed("forged", "team")).isFalse();
    }

    @Test
    void aDecisionThatNeverAppearsEndsWhenEverythingStoredByThenWasTold() {
        decided("s1", 3);
        story.syncedUpTo(Duration.ofMillis(33_999));
        assertThat(story.reserved("n1")).isEqualTo(3);
        story.syncedUpTo(Duration.ofSeconds(34));
        assertThat(story.reserved("n1")).isZero();
        assertThat(story.ledger.statistics().assumed()).isZero();
        assertThat(story.ledger.isAssumed("s1", "team")).isFalse();
    }

    @Test
    void timeAloneEndsNothing() {
        decided("s1", 3);
        story.ledger.assume(
                new PlacementRequest("s2", "team", gpus(1), NodeConstraints.NONE, /* promised= */ true),
                START.plusSeconds(500));
        story.stamped("team/b", gpus(0), "");
        assertThat(story.reserved("n1")).isEqualTo(4);
    }

    @Test
    void onlyWhatIsOldEnoughExpires() {
        decided("s1", 1);
        story.ledger.assume(
                new PlacementRequest("s2", "team", gpus(1), NodeConstraints.NONE, /* promised= */ true),
                START.plusSeconds(10));
        story.syncedUpTo(Duration.ofSeconds(40));
        assertThat(story.ledger.isAssumed("s1", "team")).isFalse();
        assertThat(story.ledger.isAssumed("s2", "team")).isTrue();
        assertThat(story.reserved("n1")).isEqualTo(1);
    }

    @Test
    void aListTellsUpToItsBeginning() {
        decided("s1", 1);
        story.tell(new PodEvent.ListEnded(1_000, START.plusSeconds(33)));
        assertThat(story.ledger.syncedUpTo()).isEqualTo(START.plusSeconds(33));
        assertThat(story.reserved("n1")).isEqualTo(1);
        story.tell(new PodEvent.ListEnded(1_001, START.plusSeconds(34)));
        assertThat(story.reserved("n1")).isZero();
    }

    @Test
    void theSyncedMomentNeverGoesBack() {
        story.syncedUpTo(Duration.ofSeconds(50));
        story.syncedUpTo(Duration.ofSeconds(20));
        assertThat(story.ledger.syncedUpTo()).isEqualTo(START.plusSeconds(50));
    }

    private void decidedAgain(String stamp, long devices) {
        var _ = story.ledger.decideAgain(stamp, () -> {
            decided(stamp, devices);
            return stamp;
        });
    }

    @Test
    void aPodThatIsDecidedAgainTakesWhatItHasNow() {
        decided("s1", 1);
        decidedAgain("s1", 4);
        assertThat(story.reserved("n1")).as("its own room was free for it").isEqualTo(4);
        decidedAgain("s1", 4);
        assertThat(story.reserved("n1")).isEqualTo(4);
        assertThat(story.ledger.statistics().evictions()).isZero();
    }

    @Test
    void aPodThatIsDecidedAgainGoesWhereThereIsRoom() {
        decided("s1", 1);
        decided("s2", 3);
        story.node("n2", 3);
        decidedAgain("s1", 3);
        assertThat(story.reserved("n1")).isEqualTo(3);
        assertThat(story.reserved("n2")).isEqualTo(3);
        assertThat(story.ledger.statistics().evictions()).isZero();
    }

    @Test
    void aPodThatWaitsGetsTheRoomThatAPodDecidedAgainDoesNotTake() {
        decided("s1", 3);
        story.unbound("team/waiting", gpus(2), NodeConstraints.NONE);
        decidedAgain("s1", 3);
        assertThat(story.reserved("n1"))
                .as("the pod that is decided again comes first")
                .isEqualTo(3);
        decidedAgain("s1", 2);
        assertThat(story.ledger.statistics().unplaced()).isZero();
        assertThat(story.reserved("n1")).isEqualTo(4);
    }

    @Test
    void aPodThatIsDecidedAgainBeyondEverythingIsNotPlaced() {
        decided("s1", 2);
        decidedAgain("s1", 5);
        assertThat(story.hasRoom(4)).isTrue();
        assertThat(story.ledger.statistics().unplaced()).isEqualTo(1);
        assertThat(story.ledger.statistics().overcommitted()).isZero();
        assertThat(story.ledger.statistics().evictions()).isZero();
    }

    @Test
    void aStampThatIsGivenTwiceReservesOnce() {
        decided("s1", 1);
        decided("s1", 2);
        assertThat(story.reserved("n1")).isEqualTo(2);
        story.syncedUpTo(Duration.ofSeconds(34));
        assertThat(story.reserved("n1")).isZero();
    }

    @Test
    void aGatedPodGivesBackWhatWasDecidedForIt() {
        decided("s1", 4);
        story.gated("team/a", gpus(4), "s1");
        assertThat(story.hasRoom(4)).isTrue();
        assertThat(story.ledger.isAssumed("s1", "team")).isFalse();
    }

    @Test
    void aPodFirstSeenAtItsEndGivesBackWhatWasDecidedForIt() {
        decided("s1", 4);
        story.unbound("team/waiting", gpus(4), NodeConstraints.NONE);
        story.ended("team/a", "s1");
        assertThat(story.ledger.isAssumed("s1", "team")).isFalse();
        assertThat(story.ledger.statistics().unplaced())
                .as("the pending pod is placed")
                .isZero();
        story.removed("team/waiting");
        assertThat(story.hasRoom(4)).isTrue();
    }

    @Test
    void theEndOfAPodWithAForgedOrForeignStampGivesNothingBack() {
        decided("s1", 4);
        story.ended("team/a", "forged");
        story.ended("other/b", "s1");
        assertThat(story.reserved("n1")).isEqualTo(4);
        story.stamped("team/c", gpus(4), "");
        story.ended("team/c", "s1");
        assertThat(story.ledger.isAssumed("s1", "team"))
                .as("a pod that was seen had its own stamp, or none")
                .isTrue();
    }

    @Test
    void askingChangesNothing() {
        decided("s1", 3);
        story.unbound("team/a", gpus(2), NodeConstraints.NONE);
        var usage = story.ledger.usage();
        var statistics = story.ledger.statistics();
        for (int i = 0; i < 5; i++) {
            var _ = story.hasRoom(i);
        }
        assertThat(story.ledger.usage()).isEqualTo(usage);
        assertThat(story.ledger.statistics()).isEqualTo(statistics);
    }

    @Test
    void lessThanNothingMakesNoRoomForOthers() {
        decided("s1", -5);
        assertThat(story.reserved("n1")).isZero();
        assertThat(story.hasRoom(4)).isTrue();
        assertThat(story.hasRoom(5)).isFalse();
        story.tell(new PodEvent.PodSeen(story.pod("team/a", new Pod.Place.Bound("n1"), gpus(-5), "")));
        assertThat(story.allocated("n1")).isZero();
        assertThat(story.hasRoom(5)).isFalse();
    }
}
