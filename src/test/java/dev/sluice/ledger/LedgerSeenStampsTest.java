package dev.sluice.ledger;

import static dev.sluice.ledger.Story.START;
import static dev.sluice.ledger.Story.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.ledger.placement.PlacementRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The watch of a replica that joins others may show a pod before the decision about it arrives. */
class LedgerSeenStampsTest {

    private static final Duration KEPT = Ledger.LONGEST_CREATE;

    private final Story story = new Story();

    @BeforeEach
    void oneNode() {
        story.node("n1", 4);
    }

    private void follow(String stamp, long devices, String... preempted) {
        PlacementRequest decided =
                new PlacementRequest(stamp, "team", gpus(devices), NodeConstraints.NONE, /* promised= */ true);
        story.ledger.assumeAsDecided(decided, List.of(preempted), START);
    }

    private void runs(String name, long devices, String stamp) {
        story.tell(new PodEvent.PodSeen(story.pod(name, new Pod.Place.Bound("n1"), gpus(devices), stamp)));
    }

    private void onlyPodsCount(long devices) {
        assertThat(story.reserved("n1")).isZero();
        assertThat(story.allocated("n1")).isEqualTo(devices);
    }

    @Test
    void aDecisionThatArrivesAfterItsPodReservesNothing() {
        runs("team/a", 2, "s1");

        follow("s1", 2);

        onlyPodsCount(2);
        story.removed("team/a");
        assertThat(story.hasRoom(4)).isTrue();
    }

    @Test
    void aDecisionThatArrivesAfterTheEndOfItsPodReservesNothing() {
        runs("team/a", 2, "s1");
        story.removed("team/a");
        story.ended("team/b", "s2");

        follow("s1", 2);
        follow("s2", 2);

        onlyPodsCount(0);
    }

    @Test
    void whatWasPreemptedForAPodThatWasSeenBeforeLosesItsPromise() {
        follow("s1", 2);
        runs("team/b", 4, "s2");

        follow("s2", 4, "s1");

        onlyPodsCount(4);
        assertThat(story.ledger.statistics().decisions().preempted()).isOne();
    }

    /**
     * The holder had room for the last decision because the first pod had ended. Otherwise what is left beside the
     * first pod would be given away, although the holder has promised it.
     */
    @Test
    void nothingIsFreeWhileThereIsNoRoomForAPromiseOfAnotherReplica() {
        runs("team/a", 1, "s1");
        follow("s2", 2);
        follow("s3", 2);
        assertThat(story.hasRoom(1)).isFalse();

        story.removed("team/a");
        assertThat(story.reserved("n1")).isEqualTo(4);
        story.ledger.forget("s3");
        assertThat(story.hasRoom(2)).isTrue();
    }

    /** After a takeover, the caller of a review may have the answer of the former holder. */
    @Test
    void aPodWithTheStampOfAFormerHolderTakesTheReservationOfTheNewOne() {
        follow("s1", 2);
        story.ledger.forget("s1");
        story.ledger.replaced("s1", "s2");
        follow("s2", 2);

        runs("team/a", 2, "s1");

        onlyPodsCount(2);
    }

    @Test
    void aDecisionThatReplacesThatOfASeenPodReservesNothing() {
        runs("team/a", 2, "s1");

        story.ledger.replaced("s1", "s2");
        follow("s2", 2);

        onlyPodsCount(2);
    }

    @Test
    void aStampIsRememberedAsLongAsADecisionMayBeLate() {
        story.syncedUpTo(Duration.ofSeconds(1));
        runs("team/a", 2, "s1");
        story.removed("team/a");
        story.syncedUpTo(KEPT.plusMillis(1));

        follow("s1", 2);
        assertThat(story.reserved("n1")).isZero();
    }

    @Test
    void stampsAreForgottenWithTime() {
        LedgerSeenStamps seen = new LedgerSeenStamps(KEPT);
        seen.advance(START);
        seen.add("s1");
        seen.advance(START.plus(KEPT));
        assertThat(seen.contains("s1")).isTrue();
        seen.advance(START.plus(KEPT.multipliedBy(2)));
        assertThat(seen.contains("s1")).isFalse();
    }

    @Test
    void onlySoManyStampsAreRemembered() {
        LedgerSeenStamps seen = new LedgerSeenStamps(KEPT);
        for (int i = 0; i < 2 * LedgerSeenStamps.MOST; i++) {
            seen.add("s" + i);
        }
        assertThat(seen.contains("s" + LedgerSeenStamps.MOST)).isTrue();
        assertThat(seen.contains("s0")).isFalse();
    }
}
