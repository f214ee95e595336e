package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.DecideRequest;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicatedEntry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A replica that repeats the decisions of the holder, on the same events. */
class FollowedDecisionsTest {

    private record Promised(String name, long devices, String stamp) {}

    private final List<ReplicatedEntry<ReplicatedDecision>> sent = new ArrayList<>();
    private final Desk holder =
            desk((stamp, uid, decision) -> sent.add(new ReplicatedEntry<>(1, stamp, uid, decision)));
    private final Desk follower = desk((_, _, _) -> {});
    private int names;

    private static Desk desk(ReservingDecisions.ReservationListener listener) {
        List<Node> nodes = IntStream.range(0, 3)
                .mapToObj(i -> Desk.node("n" + i, Map.of(), Desk.machine(8)))
                .toList();
        return new Desk(nodes, listener);
    }

    /** The other replica gets all that the holder has sent since the last time. */
    private void follow() {
        sent.forEach(entry -> follower.decisions.follow(entry, List.of()));
        sent.clear();
    }

    private void both(Consumer<Desk> change) {
        change.accept(holder);
        change.accept(follower);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void bothLedgersStayEqual(long seed) {
        Random random = new Random(seed);
        Deque<Promised> open = new ArrayDeque<>();
        int preempted = 0;
        for (int step = 0; step < 600; step++) {
            both(desk -> desk.decisions.passTime());
            switch (random.nextInt(8)) {
                case 0 -> {
                    Duration time = Duration.ofMillis(random.nextInt(random.nextInt(10) == 0 ? 20_000 : 400));
                    both(desk -> desk.passes(time));
                }
                case 1 -> both(Desk::hearsAll);
                case 2, 3 -> {
                    if (!open.isEmpty()) {
                        Promised pod = open.remove();
                        both(desk -> desk.appears(pod.name(), pod.devices(), pod.stamp()));
                        if (random.nextBoolean()) {
                            both(desk -> desk.disappears(pod.name()));
                        }
                    }
                }
                default -> {
                    String namespace = "team-" + random.nextInt(3);
                    long devices = 1L + random.nextInt(4);
                    String name = "pod-" + names++;
                    // Denials are not sent, so only the holder learns from them which pods of a controller were
                    // refused.
                    boolean isGiven =
                            holder.ledger.isFree(Amounts.of(ResourceName.NVIDIA_GPU, devices), NodeConstraints.NONE);
                    Verdict verdict = holder.decide(
                            !isGiven || random.nextBoolean()
                                    ? holder.question(namespace, name, Desk.pod(devices))
                                    : holder.owned(
                                            namespace,
                                            new PodOwner("ReplicaSet", "set", "apps/v1", "uid-of-" + namespace),
                                            Desk.pod(devices)));
                    preempted += sent.stream()
                            .mapToInt(entry -> entry.change().preempted().size())
                            .sum();
                    follow();
                    if (Desk.isGiven(verdict) && random.nextInt(3) > 0) {
                        open.add(new Promised(namespace + "/" + name, devices, Desk.stamp(verdict)));
                    }
                }
            }
            assertThat(follower.ledger.usage()).as("step %d", step).isEqualTo(holder.ledger.usage());
            assertThat(follower.ledger.statistics().assumed())
                    .isEqualTo(holder.ledger.statistics().assumed());
        }
        assertThat(preempted).as("decisions gave way").isPositive();
    }

    private static long free(Desk desk) {
        return desk.ledger.freeOf(ResourceName.NVIDIA_GPU);
    }

    @Test
    void aSecondLookReplacesTheFirstReservation() {
        Verdict first = holder.decide(holder.question("team-a", "pod", Desk.pod(2)));
        follow();
        DecideRequest again = holder.question("team-a", "pod", Desk.bearing(Desk.stamp(first), Desk.pod(3)));
        assertThat(Desk.isGiven(holder.decide(again))).isTrue();
        follow();
        assertThat(free(holder)).isEqualTo(21);
        assertThat(free(follower)).isEqualTo(21);
    }

    @Test
    void aNameThatIsDeniedLaterReservesNothingAnywhere() {
        var _ = holder.decide(holder.question("team-a", "pod", Desk.pod(2)));
        follow();
        assertThat(free(follower)).isEqualTo(22);

        assertThat(Desk.isGiven(holder.decide(holder.question("team-a", "pod", Desk.pod(9)))))
                .isFalse();
        follow();

        assertThat(free(holder)).isEqualTo(24);
        assertThat(free(follower)).isEqualTo(24);
    }

    @Test
    void aSecondLookThatIsDeniedReservesNothingAnywhere() {
        Verdict first = holder.decide(holder.question("team-a", "pod", Desk.pod(2)));
        follow();

        DecideRequest again = holder.question("team-a", "pod", Desk.bearing(Desk.stamp(first), Desk.pod(9)));
        assertThat(Desk.isGiven(holder.decide(again))).isFalse();
        follow();

        assertThat(free(holder)).isEqualTo(24);
        assertThat(free(follower)).isEqualTo(24);
    }

    /** A replica that has lost the message gets it again until the reservation would have ended by itself. */
    @Test
    void anEndIsKeptAsLongAsItsReservationWouldHaveLasted() {
        var _ = holder.decide(holder.question("team-a", "pod", Desk.pod(2)));
        var _ = holder.decide(holder.question("team-a", "pod", Desk.pod(9)));
        ReplicatedEntry<ReplicatedDecision> end = sent.getLast();
        assertThat(end.change().isEnd()).isTrue();
        holder.passes(Duration.ofSeconds(33));
        holder.decisions.sweep();
        assertThat(holder.decisions.isAssumed(end)).isTrue();

        holder.passes(Duration.ofSeconds(2));
        holder.decisions.sweep();
        assertThat(holder.decisions.isAssumed(end)).isFalse();
    }

    /** Nothing is told twice: a name that is denied again and again ends one reservation. */
    @Test
    void anEndIsToldOnce() {
        var _ = holder.decide(holder.question("team-a", "pod", Desk.pod(2)));
        for (int i = 0; i < 5; i++) {
            var _ = holder.decide(holder.question("team-a", "pod", Desk.pod(9)));
        }
        assertThat(sent).hasSize(2);
    }

    @Test
    void aSecondLookAtAnotherReplicaReplacesTheFirstReservation() {
        Verdict first = holder.decide(holder.question("team-a", "pod", Desk.pod(2)));
        follow();
        follower.decisions.beginTerm();
        DecideRequest again = holder.question("team-a", "pod", Desk.bearing(Desk.stamp(first), Desk.pod(3)));
        assertThat(Desk.isGiven(follower.decide(again))).isTrue();
        assertThat(free(follower)).isEqualTo(21);
    }

    /** The API server calls no webhook a third time, so a third pod with the stamp is another one. */
    @Test
    void aStampIsGoodForNoThirdLookAtAnotherReplica() {
        Verdict first = holder.decide(holder.question("team-a", "pod", Desk.pod(2)));
        var _ = holder.decide(holder.question("team-a", "pod", Desk.bearing(Desk.stamp(first), Desk.pod(2))));
        follow();
        DecideRequest third = holder.question("team-a", "pod", Desk.bearing(Desk.stamp(first), Desk.pod(2)));
        assertThat(Desk.stamp(follower.decide(third))).isNotEmpty().isNotEqualTo(Desk.stamp(first));
    }

    @Test
    void aRepeatedCallIsDecidedAgainAndReplacesTheReservation() {
        DecideRequest call = holder.question("team-a", "pod", Desk.pod(8));
        Verdict first = holder.decide(call);
        follow();
        Verdict second = follower.decide(call);
        assertThat(Desk.isGiven(second)).isTrue();
        assertThat(Desk.stamp(second)).isNotEqualTo(Desk.stamp(first));
        assertThat(free(follower)).isEqualTo(16);
        assertThat(follower.decide(call)).as("now it is known").isEqualTo(second);
    }

    /** The pod may bear the stamp of either decision: a third replica has followed both. */
    @Test
    void aDecisionThatReplacesAnotherReservesOnceAtAThirdReplica() {
        PodOwner set = new PodOwner("ReplicaSet", "set", "apps/v1", "uid-of-set");
        DecideRequest call = holder.owned("team-a", set, Desk.pod(8));
        Verdict first = holder.decide(call);
        ReplicatedEntry<ReplicatedDecision> older = sent.getFirst();
        follow();
        List<ReplicatedEntry<ReplicatedDecision>> later = new ArrayList<>();
        Desk successor = desk((stamp, uid, decision) -> later.add(new ReplicatedEntry<>(2, stamp, uid, decision)));
        successor.decisions.follow(older, List.of());
        assertThat(Desk.isGiven(successor.decide(call))).isTrue();

        follower.decisions.follow(later.getFirst(), List.of(older));
        assertThat(free(follower)).isEqualTo(16);

        follower.appears("team-a/set-1", 8, Desk.stamp(first));
        assertThat(free(follower)).isEqualTo(16);
        assertThat(follower.ledger.statistics().assumed()).isZero();
    }

    /** Another replica may have decided between the two terms. */
    @Test
    void aRepeatedCallInALaterTermOfTheSameReplicaIsDecidedAgain() {
        DecideRequest call = holder.question("team-a", "pod", Desk.pod(8));
        Verdict first = holder.decide(call);
        assertThat(holder.decide(call)).isEqualTo(first);
        holder.decisions.beginTerm();
        assertThat(Desk.stamp(holder.decide(call))).isNotEmpty().isNotEqualTo(Desk.stamp(first));
        assertThat(free(holder)).isEqualTo(16);
    }

    /** Somebody may have received the first answer. */
    @Test
    void aRepeatedCallThatIsDeniedLeavesTheFirstReservation() {
        DecideRequest call = holder.question("team-a", "pod", Desk.pod(8));
        Verdict first = holder.decide(call);
        follow();
        // The nodes are full with pods that no gateway decided about.
        for (int i = 0; i < 3; i++) {
            String name = "other/bound-" + i;
            follower.tell(new PodEvent.PodSeen(new Pod(
                    PodId.of(name),
                    name,
                    new Pod.Place.Bound("n" + i),
                    Amounts.of(ResourceName.NVIDIA_GPU, 8),
                    "",
                    1_000 + i)));
        }
        Verdict second = follower.decide(call);
        assertThat(Desk.isGiven(second)).isFalse();
        assertThat(follower.ledger.isAssumed(Desk.stamp(first), "team-a")).isTrue();
    }

    @Test
    void aCallWithTheUidOfAnotherPodReplacesNothing() {
        DecideRequest call = holder.question("team-a", "pod", Desk.pod(2));
        var _ = holder.decide(call);
        DecideRequest other = new DecideRequest(
                call.uid(), "other", call.owner(), call.effect(), Desk.pod(2), call.policy(), call.deadline());
        var _ = holder.decide(other);
        assertThat(sent.get(1).uid()).isEqualTo(sent.get(1).stamp());
        follow();
        assertThat(free(follower)).isEqualTo(20);
    }

    /** Its entry would otherwise not be bounded. */
    @Test
    void anEndlessNameIsNotSent() {
        var _ = holder.decide(holder.question("team-a", "n".repeat(2_000), Desk.pod(2)));
        assertThat(sent.getFirst().uid()).isEqualTo(sent.getFirst().stamp());
        assertThat(sent.getFirst().change().podName()).isEmpty();
    }
}
