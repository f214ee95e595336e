package dev.sluice.lease;

import static dev.sluice.lease.Desk.bearing;
import static dev.sluice.lease.Desk.isGiven;
import static dev.sluice.lease.Desk.pod;
import static dev.sluice.lease.Desk.stamp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DecideRequest;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A stamp is valid for one more review of its pod, and for nothing else. */
class StampReuseTest {

    private static final String NAME = "train-*";

    private final Desk desk = new Desk(1);
    private String given = "";

    @BeforeEach
    void decideOnOne() {
        given = stamp(desk.decide(desk.question("team", NAME, pod(4))));
        assertThat(given).isNotEmpty();
    }

    private Verdict again(String namespace, String name, long devices) {
        return desk.decide(desk.question(namespace, name, bearing(given, pod(devices))));
    }

    private long reserved() {
        return 8 - desk.ledger.freeOf(ResourceName.NVIDIA_GPU);
    }

    private void assertAfresh(Verdict verdict, long reserved) {
        assertThat(stamp(verdict)).isNotEmpty().isNotEqualTo(given);
        assertThat(reserved()).isEqualTo(reserved);
    }

    @Test
    void theWebhookIsReinvokedOnce() {
        Verdict verdict = again("team", NAME, 4);

        assertThat(isGiven(verdict)).isTrue();
        assertThat(stamp(verdict)).isEmpty();
        assertThat(reserved()).isEqualTo(4);
    }

    @Test
    void whoeverWaitsDoesNotTakeItsRoom() {
        assertThat(isGiven(desk.decide(desk.question("team", "second-*", pod(4)))))
                .isTrue();
        var _ = desk.decide(desk.waiting("team", "third-*", pod(4)));
        assertThat(desk.ledger.statistics().unplaced()).as("the third waits").isEqualTo(1);

        assertThat(isGiven(again("team", NAME, 4))).isTrue();
        assertThat(desk.ledger.statistics().unplaced()).isEqualTo(1);
    }

    @Test
    void butNotTwice() {
        var _ = again("team", NAME, 4);

        assertAfresh(again("team", NAME, 4), 8);
        assertThat(isGiven(again("team", NAME, 4))).isFalse();
    }

    @Test
    void noMorePodsArePromisedRoomThanThereIs() {
        long promised = 0;
        for (int i = 0; i < 50; i++) {
            promised += isGiven(again("team", NAME, 4)) ? 1 : 0;
        }
        assertThat(promised)
                .as("one more review of the first, and one of a new pod")
                .isEqualTo(2);
    }

    @Test
    void aPodThatWaitsAndGotItsLimitIsToldOnce() {
        PodRequest limited = pod(8);
        ContainerRequest unlimited = new ContainerRequest(
                PodContainerKind.MAIN, 0, "main", null, Map.of(ResourceName.NVIDIA_GPU, Quantity.of(8)));
        PodRequest written = new PodRequest(
                List.of(unlimited),
                limited.podLevel(),
                limited.overhead(),
                /* gated= */ false,
                limited.constraints(),
                limited.annotations());
        Verdict.Allowed first = (Verdict.Allowed) desk.decide(desk.waiting("team", "late-*", written));
        assertThat(first.outcome()).isEqualTo(Verdict.Outcome.CHANGED);
        assertThat(first.reason()).isEqualTo(Reason.EXHAUSTED);
        assertThat(first.causes()).hasSize(2);

        Verdict.Allowed second =
                (Verdict.Allowed) desk.decide(desk.waiting("team", "late-*", bearing(stamp(first), limited)));

        assertThat(second.outcome()).isEqualTo(Verdict.Outcome.UNCHANGED);
        assertThat(second.reason()).isEqualTo(Reason.EXHAUSTED);
        assertThat(second.causes()).isEmpty();
    }

    @Test
    void bothCallsMayBeRepeated() {
        DecideRequest second = desk.question("team", NAME, bearing(given, pod(4)));
        Verdict answer = desk.decide(second);

        assertThat(desk.decide(second)).isEqualTo(answer);
        assertThat(desk.decide(second)).isEqualTo(answer);
        assertThat(reserved()).isEqualTo(4);
    }

    @Test
    void aPodThatGrewInDevicesReservesWhatItHasNow() {
        Verdict verdict = again("team", NAME, 7);

        assertThat(isGiven(verdict)).isTrue();
        assertThat(stamp(verdict)).isEmpty();
        assertThat(reserved()).isEqualTo(7);
        assertThat(desk.ledger.statistics().overcommitted()).isZero();
    }

    @Test
    void aPodThatNoLongerFitsIsDecidedAgainAndHoldsNothing() {
        Verdict verdict = again("team", NAME, 9);

        assertThat(isGiven(verdict)).isFalse();
        assertThat(reserved()).isZero();
        assertThat(desk.ledger.statistics().overcommitted()).isZero();
    }

    /** A queue adds its gate after the first look, and lets the pod go later. */
    @Test
    void aPodThatWasGatedMeanwhileHoldsNothing() {
        PodRequest free = pod(4);
        PodRequest gated = new PodRequest(
                free.containers(),
                free.podLevel(),
                free.overhead(),
                /* gated= */ true,
                free.constraints(),
                free.annotations());

        assertThat(isGiven(desk.decide(desk.question("team", NAME, bearing(given, gated)))))
                .isTrue();
        assertThat(reserved()).isZero();
    }

    @Test
    void aPodThatAsksForFewerDevicesIsAnotherOne() {
        assertAfresh(again("team", NAME, 3), 7);
    }

    @Test
    void whatGrewWithoutALimitGetsOne() {
        PodRequest limited = pod(4);
        ContainerRequest unlimited = new ContainerRequest(
                PodContainerKind.MAIN, 1, "late", null, Map.of(ResourceName.NVIDIA_GPU, Quantity.of(1)));
        PodRequest grown = new PodRequest(
                List.of(limited.containers().getFirst(), unlimited),
                limited.podLevel(),
                limited.overhead(),
                /* gated= */ false,
                limited.constraints(),
                limited.annotations());

        Verdict verdict = desk.decide(desk.question("team", NAME, bearing(given, grown)));

        assertThat(isGiven(verdict)).isTrue();
        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Verdict.Allowed.class,
                        allowed -> assertThat(allowed.patch())
                                .singleElement()
                                .asString()
                                .contains("limits"));
        assertThat(reserved()).isEqualTo(5);
    }

    @Test
    void aPodThatGrewInAllElseReservesWhatItHasNow() {
        Verdict verdict = desk.decide(desk.question("team", NAME, bearing(given, pod(4, 60, NodeConstraints.NONE))));

        assertThat(stamp(verdict)).isEmpty();
        assertThat(isGiven(desk.decide(desk.question("team", "other", pod(1, 8, NodeConstraints.NONE)))))
                .isFalse();
    }

    @Test
    void anotherNameOrNamespaceIsAnotherPod() {
        assertAfresh(again("team", "train-1", 1), 5);
        assertAfresh(again("other", NAME, 1), 6);
    }

    @Test
    void aDryRunNeitherUsesAStampNorReserves() {
        DecideRequest real = desk.question("team", NAME, bearing(given, pod(4)));
        for (int i = 0; i < 5; i++) {
            var _ = desk.decide(new DecideRequest(
                    "dry-" + i,
                    NAME,
                    PodOwner.NONE,
                    DecideRequest.ReviewEffect.DRY_RUN,
                    real.pod(),
                    real.policy(),
                    new BusRequestDeadline(0)));
        }
        assertThat(reserved()).isEqualTo(4);
        assertThat(stamp(desk.decide(real)))
                .as("the webhook is reinvoked for the pod itself")
                .isEmpty();
    }

    @Test
    void afterItsPodWasSeenItIsWorthNothing() {
        desk.appears("team/train-1", 4, given);

        assertAfresh(again("team", NAME, 4), 8);
    }

    @Test
    void afterTheTimeOfACreateItIsWorthNothing() {
        desk.passes(34);

        assertThat(desk.ledger.isAssumed(given, "team"))
                .as("the watch is behind")
                .isTrue();
        assertAfresh(again("team", NAME, 4), 8);
    }

    @Test
    void aCallThatIsRepeatedReservesOnceThoughItsAnswerWasTooLargeToKeep() {
        DecideRequest question = desk.question("team", "large-*", Desk.manyContainers(3, 100));
        Verdict first = desk.decide(question);
        assertThat(isGiven(first)).isTrue();
        assertThat(reserved()).isEqualTo(7);

        assertThat(isGiven(desk.decide(question))).isTrue();
        assertThat(reserved()).isEqualTo(7);
    }
}
