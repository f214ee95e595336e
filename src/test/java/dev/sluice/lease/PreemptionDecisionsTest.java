package dev.sluice.lease;

import static dev.sluice.lease.Desk.isGiven;
import static dev.sluice.lease.Desk.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.bus.DecideRequest;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import org.junit.jupiter.api.Test;

/** What a pod may preempt counts as free for it. */
class PreemptionDecisionsTest {

    private static final PodPriority SPARE = new PodPriority(-10, /* preempts= */ true);
    private static final PodPriority URGENT = new PodPriority(1_000, /* preempts= */ true);

    private final Desk desk = new Desk(1);
    private int version = 1_000;

    private static PodRequest prior(long devices, PodPriority priority) {
        PodRequest plain = pod(devices);
        return new PodRequest(
                plain.containers(),
                plain.podLevel(),
                plain.overhead(),
                plain.gated(),
                plain.constraints(),
                plain.annotations(),
                priority,
                plain.authored());
    }

    private Verdict decide(String name, long devices, PodPriority priority) {
        return desk.decide(desk.question("team", name, prior(devices, priority)));
    }

    private void seen(String name, Pod.Place place, long devices, PodPriority priority, String stamp) {
        version++;
        desk.tell(new PodEvent.PodSeen(new Pod(
                PodId.of(name),
                "team/" + name,
                place,
                Amounts.of(ResourceName.NVIDIA_GPU, devices).plus(Amounts.of(ResourceName.PODS, 1)),
                stamp,
                version,
                "",
                priority)));
    }

    private void bound(String name, long devices, PodPriority priority) {
        seen(name, new Pod.Place.Bound("n0"), devices, priority, "");
    }

    private static Pod.Place nominated(String node) {
        return new Pod.Place.Unbound(NodeConstraints.NONE, node.isEmpty() ? null : node);
    }

    @Test
    void aPodOfHigherPriorityGetsWhatOthersHoldAndIsToldSo() {
        bound("spare", 8, SPARE);

        Verdict verdict = decide("urgent", 4, URGENT);

        assertThat(isGiven(verdict)).isTrue();
        assertThat(Wording.of(verdict).warnings())
                .containsExactly(
                        "container main: no nvidia.com/gpu is free (0 of 8 on 1 node); the pod preempts pods of"
                                + " lower priority");
    }

    @Test
    void thereIsNoWarningWhenNobodyIsPreempted() {
        bound("spare", 4, SPARE);

        assertThat(Wording.of(decide("urgent", 4, URGENT)).warnings()).isEmpty();
    }

    @Test
    void podsOfTheSamePriorityAndThoseThatNeverPreemptWait() {
        bound("spare", 8, SPARE);

        assertThat(isGiven(decide("same", 1, SPARE))).isFalse();
        assertThat(isGiven(decide("never", 1, new PodPriority(1_000, /* preempts= */ false))))
                .isFalse();
        assertThat(isGiven(decide("normal", 1, PodPriority.NORMAL))).isTrue();
    }

    @Test
    void nothingIsPromisedTwiceToPreemptors() {
        bound("spare", 6, SPARE);
        bound("system", 2, new PodPriority(2_000_001_000, /* preempts= */ true));

        assertThat(isGiven(decide("one", 4, URGENT))).isTrue();
        assertThat(isGiven(decide("two", 2, URGENT))).isTrue();
        assertThat(isGiven(decide("three", 1, URGENT))).isFalse();
        assertThat(desk.ledger.statistics().overcommitted()).isZero();
    }

    @Test
    void aDecisionOfLowerPriorityHasToMakeRoom() {
        assertThat(isGiven(decide("spare", 8, SPARE))).isTrue();

        assertThat(isGiven(decide("urgent", 8, URGENT))).isTrue();

        assertThat(desk.ledger.statistics().unplaced()).isEqualTo(1);
        assertThat(desk.ledger.statistics().overcommitted()).isEqualTo(1);
    }

    /** A pod that something behind the gateway has refused takes nothing back from those to which it gave way. */
    @Test
    void anUrgentDecisionThatGaveWayPreemptsNobody() {
        assertThat(isGiven(decide("refused", 8, URGENT))).isTrue();
        desk.passes(6);

        assertThat(isGiven(decide("one", 1, PodPriority.NORMAL))).isTrue();
        assertThat(desk.ledger.statistics().overcommitted()).isZero();
        assertThat(isGiven(decide("two", 7, PodPriority.NORMAL))).isTrue();
        assertThat(desk.ledger.statistics().overcommitted()).isZero();
    }

    /** The room of a preemptor is in use by others. If its pod does not appear, nobody preempts them. */
    @Test
    void anUrgentDecisionThatWouldPreemptPodsGivesWayAfterFiveSeconds() {
        bound("spare", 4, SPARE);
        Verdict refused = decide("refused", 8, URGENT);
        assertThat(isGiven(refused)).isTrue();
        desk.passes(4);
        assertThat(isGiven(decide("early", 4, PodPriority.NORMAL))).isFalse();
        desk.passes(1);

        assertThat(isGiven(decide("one", 4, PodPriority.NORMAL))).isTrue();
        assertThat(desk.ledger.statistics().overcommitted()).isZero();
        seen("refused", nominated(""), 8, URGENT, Desk.stamp(refused));
        assertThat(desk.ledger.statistics().decisions().late()).isEqualTo(1);
        assertThat(desk.ledger.statistics().overcommitted())
                .as("it preempts after all")
                .isEqualTo(1);
    }

    /** The pod needs both what a refused pod holds, and what the scheduler would preempt for it. */
    @Test
    void aPodGetsWhatGivesWayTogetherWithWhatItPreempts() {
        bound("spare", 4, SPARE);
        Verdict refused = decide("refused", 4, PodPriority.NORMAL);
        assertThat(isGiven(refused)).isTrue();
        desk.passes(4);
        assertThat(isGiven(decide("early", 8, PodPriority.NORMAL))).isFalse();
        desk.passes(1);
        assertThat(isGiven(decide("spare-too", 8, SPARE))).isFalse();
        assertThat(isGiven(decide("never", 8, new PodPriority(1_000, /* preempts= */ false))))
                .isFalse();
        assertThat(isGiven(decide("too-large", 9, PodPriority.NORMAL))).isFalse();

        assertThat(isGiven(decide("one", 8, PodPriority.NORMAL))).isTrue();

        assertThat(desk.ledger.statistics().overcommitted()).isZero();
        assertThat(isGiven(decide("two", 1, PodPriority.NORMAL))).isFalse();
        seen("refused", nominated(""), 4, PodPriority.NORMAL, Desk.stamp(refused));
        assertThat(desk.ledger.statistics().decisions().late()).isEqualTo(1);
    }

    @Test
    void onlyWhatIsNeededGivesWayBesideWhatIsPreempted() {
        bound("spare", 4, SPARE);
        assertThat(isGiven(decide("small", 1, PodPriority.NORMAL))).isTrue();
        assertThat(isGiven(decide("large", 3, PodPriority.NORMAL))).isTrue();
        desk.passes(5);

        assertThat(isGiven(decide("one", 7, PodPriority.NORMAL))).isTrue();

        assertThat(desk.ledger.statistics().decisions().preempted()).isEqualTo(1);
    }

    @Test
    void anUrgentDecisionInPlaceOfAnotherOneGivesWayAfterFiveSeconds() {
        assertThat(isGiven(decide("spare", 8, SPARE))).isTrue();
        assertThat(isGiven(decide("urgent", 8, URGENT))).isTrue();
        desk.passes(5);

        assertThat(isGiven(decide("one", 8, PodPriority.NORMAL))).isTrue();
    }

    /** The scheduler names the node, deletes the victims and waits until they are gone. */
    @Test
    void thePreemptorHoldsItsRoomUntilItIsBound() {
        bound("spare", 8, SPARE);
        Verdict verdict = decide("urgent", 8, URGENT);
        seen("urgent", nominated(""), 8, URGENT, Desk.stamp(verdict));
        seen("urgent", nominated("n0"), 8, URGENT, Desk.stamp(verdict));
        assertThat(isGiven(decide("other", 8, URGENT))).isFalse();
        bound("spare", 8, SPARE);
        assertThat(isGiven(decide("while-it-terminates", 1, PodPriority.NORMAL)))
                .isFalse();
        desk.disappears("spare");
        assertThat(isGiven(decide("after-it", 1, PodPriority.NORMAL))).isFalse();
        bound("urgent", 8, URGENT);

        assertThat(desk.ledger.statistics().overcommitted()).isZero();
        assertThat(desk.ledger.statistics().evictions()).isZero();
        assertThat(isGiven(decide("last", 1, URGENT))).isFalse();
    }

    @Test
    void aPolicyCanIgnoreIt() {
        bound("spare", 8, SPARE);
        DecideRequest question = desk.ignoringPreemption("team", "urgent", prior(1, URGENT));

        assertThat(isGiven(desk.decide(question))).isFalse();
    }
}
