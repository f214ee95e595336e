package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.DecideRequest;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A decision that is not carried out reads the ledger and leaves no trace in it. */
class ObservedDecisionsTest {

    private final List<String> shared = new ArrayList<>();
    private final Desk desk =
            new Desk(List.of(Desk.node("n0", Map.of(), Desk.machine(8))), (stamp, _, _) -> shared.add(stamp));

    private static DecideRequest observed(DecideRequest real) {
        return new DecideRequest(
                real.uid(),
                real.podName(),
                real.owner(),
                DecideRequest.ReviewEffect.OBSERVED,
                real.pod(),
                real.policy(),
                real.deadline());
    }

    private boolean wouldBeGiven(String name, long devices) {
        return Desk.isGiven(desk.decide(observed(desk.question("team", name, Desk.pod(devices)))));
    }

    @Test
    void nothingIsReservedSharedOrStamped() {
        for (int i = 0; i < 3; i++) {
            var verdict = desk.decide(observed(desk.question("team", "train-" + i, Desk.pod(8))));
            assertThat(Desk.isGiven(verdict)).isTrue();
            assertThat(Desk.stamp(verdict)).isEmpty();
        }

        assertThat(shared).isEmpty();
        assertThat(desk.promised("team", 1, 8)).isEqualTo(1);
    }

    @Test
    void whatIsReservedForOthersCounts() {
        assertThat(desk.promised("team", 1, 8)).isEqualTo(1);

        assertThat(wouldBeGiven("late", 1)).isFalse();
    }

    /** A pod of the same name that is enforced ends the reservation of the one before; an observed one does not. */
    @Test
    void aReservationOfTheSameNameStays() {
        assertThat(Desk.isGiven(desk.decide(desk.question("team", "train", Desk.pod(8)))))
                .isTrue();

        assertThat(wouldBeGiven("train", 8)).isFalse();
        assertThat(wouldBeGiven("other", 8)).isFalse();
    }

    /** A denial that is carried out shows that earlier pods of its controller were refused. */
    @Test
    void aDenialEndsNoEarlierDecisionOfItsController() {
        PodOwner job = new PodOwner("Job", "train", "batch/v1", "u-1");
        assertThat(Desk.isGiven(desk.decide(desk.owned("team", job, Desk.pod(8)))))
                .isTrue();
        desk.passes(3);

        assertThat(Desk.isGiven(desk.decide(observed(desk.owned("team", job, Desk.pod(16))))))
                .isFalse();

        assertThat(desk.promised("other", 1, 8)).isZero();
    }
}
