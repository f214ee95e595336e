package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.ClusterUsageReply.UsageQuestion;
import dev.sluice.bus.DecideReply;
import dev.sluice.bus.DecideRequest;
import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.OutboxMessage;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.LedgerNodeUsage;
import dev.sluice.replication.InSyncRecord;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicaMessage;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicationEnvelope;
import dev.sluice.replication.ReplicationTimes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Owners of ledgers that share their reservations, with real time, a wire and a Lease in memory. */
class ReplicasTest {

    private static final ReplicationTimes USUAL = ReplicationTimes.of(4_000);
    /** Nobody is suspected and nobody is dropped within the patience of a test. */
    private static final ReplicationTimes PATIENT =
            new ReplicationTimes(100, 60_000, 60_000, 60_000, 200, 60_000, 70_000, 34_000, 3_000);

    private final MemoryLease lease = new MemoryLease();
    private final List<TestReplica> replicas = new ArrayList<>();
    private final AtomicInteger serial = new AtomicInteger();
    /** Messages for which this is true are held back. */
    private volatile Predicate<OutboxMessage> held = _ -> false;

    private final ConcurrentLinkedQueue<OutboxMessage> heldBack = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stopsAll() {
        for (TestReplica replica : replicas) {
            replica.kill();
            // The test does not wait for the end, because a killed replica waits some seconds for the others in vain.
            var _ = replica.close();
        }
    }

    private List<TestReplica> start(int count, ReplicationTimes times) throws Exception {
        for (int i = 0; i < count; i++) {
            var _ = add(times);
        }
        for (TestReplica replica : replicas) {
            replica.awaitStatus(status -> status.inSync().size() == count);
        }
        return replicas;
    }

    private TestReplica add(ReplicationTimes times) throws Exception {
        String name = "replica-" + replicas.size();
        List<Node> nodes =
                List.of(Desk.node("n0", Map.of(), Desk.machine(4)), Desk.node("n1", Map.of(), Desk.machine(4)));
        TestReplica replica = new TestReplica(new Member(name, name + ":8444"), lease, times, nodes, this::carry);
        replicas.add(replica);
        if (replicas.size() == 1) {
            replica.awaitStatus(status -> status.isLeading());
        }
        return replica;
    }

    private void carry(OutboxMessage message) {
        if (held.test(message)) {
            heldBack.add(message);
        } else {
            deliver(message);
        }
    }

    private void deliver(OutboxMessage message) {
        process(message.to()).receive(message);
    }

    private void releaseHeld() {
        held = _ -> false;
        for (OutboxMessage message = heldBack.poll(); message != null; message = heldBack.poll()) {
            deliver(message);
        }
    }

    private TestReplica process(Member member) {
        return replicas.stream()
                .filter(replica -> replica.self().equals(member))
                .findFirst()
                .orElseThrow();
    }

    private String uid() {
        return "uid-" + serial.incrementAndGet();
    }

    /** Asks as a gateway does: whoever is named as the holder, again and again. */
    private Verdict decide(TestReplica first, String uid, String name, PodRequest pod) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        TestReplica asked = first;
        while (System.nanoTime() < deadline) {
            DecideReply reply = TestReplica.await(
                    asked.ask(uid, name, pod).otherwise(timeout -> new DecideReply.NotNow(String.valueOf(timeout))));
            switch (reply) {
                case DecideReply.Answered(Verdict verdict) -> {
                    return verdict;
                }
                case DecideReply.Elsewhere(Member holder) ->
                    asked = process(holder).isDead() ? first : process(holder);
                case DecideReply.NotNow _ -> asked = first;
                case DecideReply.Failed(Throwable fault) -> throw new AssertionError(fault);
            }
            var _ = TestReplica.await(first.vertx().timer(10, TimeUnit.MILLISECONDS));
        }
        throw new AssertionError("there was no decision");
    }

    private boolean isGiven(TestReplica first, long devices) throws Exception {
        String uid = uid();
        return Desk.isGiven(decide(first, uid, "pod-of-" + uid, Desk.pod(devices)));
    }

    private static Map<String, LedgerNodeUsage> usage(TestReplica replica) throws Exception {
        return TestReplica.await(Service.USAGE.ask(replica.vertx(), new UsageQuestion()))
                .byNode();
    }

    @Test
    void theHolderDecidesAndTheOthersNameIt() throws Exception {
        List<TestReplica> all = start(3, USUAL);
        assertThat(isGiven(all.get(0), 1)).isTrue();
        for (TestReplica other : all.subList(1, 3)) {
            assertThat(TestReplica.await(other.ask(uid(), "pod", Desk.pod(1))))
                    .isEqualTo(new DecideReply.Elsewhere(all.getFirst().self()));
            assertThat(other.gate()).isEqualTo(DecisionGateMessage.ELSEWHERE);
        }
        assertThat(all.get(0).gate()).isEqualTo(DecisionGateMessage.NOW);
    }

    /** It reserves nothing, so it waits for nobody, and the reservations of the holder count. */
    @Test
    void eachReplicaDecidesAboutAPodThatIsOnlyObserved() throws Exception {
        List<TestReplica> all = start(2, USUAL);
        assertThat(isGiven(all.get(0), 4)).isTrue();
        assertThat(isGiven(all.get(0), 4)).isTrue();
        for (TestReplica replica : all) {
            assertThat(TestReplica.await(
                            replica.ask(uid(), "observed", Desk.pod(1), DecideRequest.ReviewEffect.OBSERVED)))
                    .isInstanceOfSatisfying(
                            DecideReply.Answered.class,
                            answer -> assertThat(Desk.isGiven(answer.verdict())).isFalse());
        }
    }

    @Test
    void anAnswerWaitsUntilTheOthersHaveTheDecisionAndADenialDoesNot() throws Exception {
        List<TestReplica> all = start(3, PATIENT);
        held = message -> message.envelope().from().equals(all.get(2).self());
        Future<DecideReply> answer = all.get(0).ask(uid(), "waits", Desk.pod(4));
        assertThat(TestReplica.await(all.get(0).ask(uid(), "denied", Desk.pod(5))))
                .isInstanceOfSatisfying(
                        DecideReply.Answered.class,
                        denied -> assertThat(Desk.isGiven(denied.verdict())).isFalse());
        while (heldBack.isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(answer.isComplete()).isFalse();
        releaseHeld();
        assertThat(TestReplica.await(answer)).isInstanceOf(DecideReply.Answered.class);
    }

    @Test
    void aRepeatedCallWaitsForTheSameAnswer() throws Exception {
        List<TestReplica> all = start(2, PATIENT);
        held = message -> message.envelope().from().equals(all.get(1).self());
        String uid = uid();
        Future<DecideReply> first = all.get(0).ask(uid, "pod", Desk.pod(4));
        Future<DecideReply> second = all.get(0).ask(uid, "pod", Desk.pod(4));
        assertThat(TestReplica.await(all.get(0).ask(uid(), "denied", Desk.pod(5))))
                .isInstanceOf(DecideReply.Answered.class);
        assertThat(second.isComplete()).isFalse();
        releaseHeld();
        assertThat(TestReplica.await(second)).isEqualTo(TestReplica.await(first));
        assertThat(isGiven(all.get(0), 4)).as("the other half is free").isTrue();
    }

    /** Shows availability-mode.md F1. */
    @Test
    void aMemberTakesOverFromASilentHolderAndPromisesNothingTwice() throws Exception {
        List<TestReplica> all = start(3, USUAL);
        for (int i = 0; i < 5; i++) {
            assertThat(isGiven(all.get(0), 1)).isTrue();
        }
        all.get(0).kill();
        int given = 0;
        for (int i = 0; i < 5; i++) {
            given += isGiven(all.get(1 + i % 2), 1) ? 1 : 0;
        }
        assertThat(given).isEqualTo(3);
        assertThat(lease.stored().orElseThrow().content().inSync())
                .isEqualTo(new TreeSet<>(List.of(all.get(1).self(), all.get(2).self())));
        TestReplica holder = process(
                Objects.requireNonNull(lease.stored().orElseThrow().content().holder()));
        ReplicationStatusMessage after =
                holder.awaitStatus(status -> status.lastTakeover().isPositive());
        assertThat(after.takeovers()).isEqualTo(1);
        assertThat(after.lastTakeover().toMillis())
                .as("the silence of the former holder is a part of it")
                .isGreaterThan(USUAL.suspectAfter() / 2);
    }

    @Test
    void aReplicaThatHasNotListedTheClusterTakesNoLease() throws Exception {
        ReplicationTimes readsOften = new ReplicationTimes(100, 650, 300, 1_000, 20, 10_000, 15_000, 34_000, 3_000);
        AtomicInteger requests = new AtomicInteger();
        Member self = new Member("not-synced", "not-synced:8444");
        Vertx vertx = Vertx.vertx();
        Topic.install(vertx);
        try {
            var _ = TestReplica.await(vertx.deployVerticle(new DecisionVerticle(
                    ActivePolicy.first(new Policies(Desk.DENY, Map.of()), Injector.NONE),
                    Optional.of(new LeaseReplicaSettings(self, lease.from(() -> true, requests), readsOften)),
                    InstantSource.system(),
                    Duration.ofSeconds(30))));
            while (requests.get() < 4) {
                var _ = TestReplica.await(vertx.timer(10, TimeUnit.MILLISECONDS));
            }
            assertThat(lease.stored()).isEmpty();
        } finally {
            var _ = vertx.close();
        }
    }

    /** Its reviews would wait in vain, so the Service must send them to others. One that leaves forwards its last. */
    @Test
    void aReplicaThatDoesNotHearTheHolderAnyMoreIsNotReadyUnlessItLeaves() throws Exception {
        List<TestReplica> all = start(3, PATIENT);
        all.get(1).awaitGate(DecisionGateMessage.ELSEWHERE::equals);
        all.get(2).awaitGate(DecisionGateMessage.ELSEWHERE::equals);
        Topic.LEAVING.publish(all.get(2).vertx(), new Topic.Leaving());
        all.get(0).awaitStatus(status -> status.inSync().size() == 2);
        held = message -> message.envelope().from().equals(all.get(0).self());
        all.get(1).awaitGate(gate -> !gate.now());
        assertThat(all.get(0).gate()).isEqualTo(DecisionGateMessage.NOW);
        assertThat(all.get(2).gate()).isEqualTo(DecisionGateMessage.ELSEWHERE);
        releaseHeld();
        all.get(1).awaitGate(DecisionGateMessage.ELSEWHERE::equals);
    }

    /**
     * SIGSTOP and SIGCONT: reviews have piled up at a process that was the holder, and its lease has not run out:
     * availability-mode.md F2.
     */
    @Test
    void aHolderThatStoodStillStepsDownBeforeItAnswers() throws Exception {
        List<TestReplica> all = start(2, USUAL);
        for (int i = 0; i < 5; i++) {
            assertThat(isGiven(all.get(0), 1)).isTrue();
        }
        all.get(0).stop();
        List<Future<DecideReply>> piled = IntStream.range(0, 8)
                .mapToObj(i -> all.get(0).ask(uid(), "piled-" + i, Desk.pod(1)))
                .toList();
        all.get(1).awaitStatus(status -> status.isLeading());
        all.get(0).wakeUp();
        long given = 0;
        for (Future<DecideReply> reply : piled) {
            DecideReply told =
                    TestReplica.await(reply.otherwise(timeout -> new DecideReply.NotNow(String.valueOf(timeout))));
            given += told instanceof DecideReply.Answered(Verdict verdict) && Desk.isGiven(verdict) ? 1 : 0;
        }
        assertThat(given).isZero();
        for (int i = 0; i < 5; i++) {
            given += isGiven(all.get(0), 1) ? 1 : 0;
        }
        assertThat(given).as("with what was decided but not answered").isBetween(0L, 3L);
    }

    @Test
    void anAnswerOfAFormerHolderIsAskedElsewhere() throws Exception {
        List<TestReplica> all = start(2, USUAL);
        held = message -> message.envelope().from().equals(all.get(0).self());
        String uid = uid();
        Future<DecideReply> reply = all.get(0).ask(uid, "pod", Desk.pod(4));
        DecideReply told = TestReplica.await(reply);
        // Either side may be faster: the holder drops the silent member, or the member takes over.
        if (told instanceof DecideReply.Elsewhere(Member holder)) {
            assertThat(holder).isEqualTo(all.get(1).self());
        } else {
            assertThat(told).isInstanceOf(DecideReply.Answered.class);
        }
        releaseHeld();
        assertThat(Desk.isGiven(decide(all.get(1), uid, "pod", Desk.pod(4)))).isTrue();
    }

    /** The former holder had answered, but the answer was lost on its way to who had forwarded the review. */
    @Test
    void aRepeatedCallAfterATakeoverReplacesTheReservationOfTheFirst() throws Exception {
        List<TestReplica> all = start(2, USUAL);
        String uid = uid();
        Verdict first = decide(all.get(0), uid, "pod", Desk.pod(4));
        assertThat(isGiven(all.get(0), 4)).isTrue();
        all.get(0).kill();
        Verdict second = decide(all.get(1), uid, "pod", Desk.pod(4));
        assertThat(Desk.isGiven(second)).isTrue();
        assertThat(Desk.stamp(second)).isNotEqualTo(Desk.stamp(first));
        assertThat(isGiven(all.get(1), 1)).as("all is promised once").isFalse();
    }

    @Test
    void aReinvocationAfterATakeoverBelongsToItsFirstDecision() throws Exception {
        List<TestReplica> all = start(2, USUAL);
        Verdict first = decide(all.get(0), uid(), "pod", Desk.pod(4));
        assertThat(isGiven(all.get(0), 4)).isTrue();
        all.get(0).kill();
        Verdict second = decide(all.get(1), uid(), "pod", Desk.bearing(Desk.stamp(first), Desk.pod(4)));
        assertThat(Desk.isGiven(second)).isTrue();
        assertThat(Desk.stamp(second)).as("it has its stamp").isEmpty();
        assertThat(isGiven(all.get(1), 1)).isFalse();
    }

    /** Shows availability-mode.md F3. */
    @Test
    void aHolderThatLeavesUnderLoadRefusesNothing() throws Exception {
        List<TestReplica> all = start(2, USUAL);
        AtomicInteger given = new AtomicInteger();
        List<Future<DecideReply>> replies = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            replies.add(all.get(0).ask(uid(), "before-" + i, Desk.pod(1)));
        }
        all.get(0).leave();
        for (Future<DecideReply> reply : replies) {
            given.addAndGet(TestReplica.await(reply) instanceof DecideReply.Answered ? 1 : 0);
        }
        all.get(0).kill();
        all.get(1).awaitStatus(status -> status.isLeading());
        for (int i = 0; i < 9; i++) {
            given.addAndGet(isGiven(all.get(1), 1) ? 1 : 0);
        }
        assertThat(given).hasValue(8);
        assertThat(lease.stored().orElseThrow().content().inSync())
                .isEqualTo(new TreeSet<>(List.of(all.get(1).self())));
    }

    @Test
    void aReviewDuringAHandOverWaitsForTheSuccessor() throws Exception {
        List<TestReplica> all = start(2, USUAL);
        List<Future<DecideReply>> replies = new ArrayList<>();
        Topic.LEAVING.publish(all.get(0).vertx(), new Topic.Leaving());
        for (int i = 0; i < 20; i++) {
            replies.add(all.get(0).ask(uid(), "pod-" + i, Desk.pod(1)));
        }
        for (Future<DecideReply> reply : replies) {
            assertThat(TestReplica.await(reply)).isNotInstanceOf(DecideReply.NotNow.class);
        }
        all.get(0)
                .awaitStatus(
                        status -> status.holder().equals(Optional.of(all.get(1).self())));
        assertThat(all.get(0).gate().now()).isTrue();
    }

    @Test
    void theLedgersOfAllReplicasAreEqual() throws Exception {
        List<TestReplica> all = start(3, USUAL);
        Random random = new Random(7);
        assertThat(Desk.isGiven(decide(all.get(1), uid(), "again", Desk.pod(2))))
                .isTrue();
        assertThat(Desk.isGiven(decide(all.get(2), uid(), "again", Desk.pod(1))))
                .isTrue();
        for (int i = 0; i < 20; i++) {
            var _ = decide(all.get(random.nextInt(3)), uid(), "pod-" + i, Desk.pod(1 + random.nextInt(3)));
        }
        assertThat(Desk.isGiven(decide(all.get(2), uid(), "again", Desk.pod(9))))
                .isFalse();
        Map<String, LedgerNodeUsage> usage = usage(all.get(0));
        assertThat(usage.values().stream()
                        .mapToLong(node -> node.reserved().get(ResourceName.NVIDIA_GPU))
                        .sum())
                .isBetween(5L, 8L);
        assertThat(usage(all.get(1))).isEqualTo(usage);
        assertThat(usage(all.get(2))).isEqualTo(usage);
    }

    @Test
    void aNewReplicaGetsTheReservationsThatAreThere() throws Exception {
        var _ = start(1, USUAL);
        for (int i = 0; i < 5; i++) {
            assertThat(isGiven(replicas.getFirst(), 1)).isTrue();
        }
        TestReplica second = add(USUAL);
        second.awaitStatus(status -> status.inSync().size() == 2);
        assertThat(usage(second)).isEqualTo(usage(replicas.getFirst()));
        assertThat(second.awaitStatus(status -> status.entries() == 5).term()).isEqualTo(1);
    }

    /** A rollout would otherwise end the replicas that have the reservations. */
    @Test
    void aNewReplicaIsReadyWhenItIsInSync() throws Exception {
        var _ = start(1, PATIENT);
        held = message -> message.envelope().message() instanceof ReplicaMessage.Acknowledgement<?>;
        TestReplica second = add(PATIENT);
        while (heldBack.isEmpty()) {
            Thread.onSpinWait();
        }
        second.awaitGate(gate -> gate.blockedBy().contains("reservations"));
        releaseHeld();
        second.awaitStatus(status -> status.inSync().size() == 2);
        second.awaitGate(DecisionGateMessage.ELSEWHERE::equals);
    }

    /** Nobody is in sync by such a record, so everybody waits as if no member were left: availability-mode.md F11. */
    @Test
    void whoDecidedStepsDownWhenSomebodyHasEditedTheLease() throws Exception {
        List<TestReplica> all = start(2, USUAL);
        InSyncRecord present = lease.stored().orElseThrow().content();
        lease.edit(new InSyncRecord(present.holder(), present.term(), new TreeSet<>(), present.renewal()));
        all.get(0).awaitStatus(status -> !status.isLeading() || status.term() > 1);
        assertThat(TestReplica.await(all.get(0)
                        .ask(uid(), "pod", Desk.pod(1))
                        .otherwise(timeout -> new DecideReply.NotNow(String.valueOf(timeout)))))
                .isNotInstanceOf(DecideReply.Answered.class);
    }

    /** A message of the own cluster that comes later shows that both were read: availability-mode.md F15. */
    @Test
    void aMessageOfAnotherClusterIsIgnored() throws Exception {
        TestReplica holder = start(1, USUAL).getFirst();
        long term = holder.awaitStatus(status -> status.isLeading()).term();
        Member stranger = new Member("stranger", "stranger:8444");
        Member friend = new Member("friend", "friend:8444");
        BlockingQueue<Member> spokenTo = new LinkedBlockingQueue<>();
        held = message -> spokenTo.add(message.to());

        tell(holder, stranger, "gpu-webhook/uid-2", new ReplicaMessage.JoinRequest<>());
        tell(
                holder,
                stranger,
                "gpu-webhook/uid-2",
                new ReplicaMessage.EntryBatch<>(term + 1, -1, 0, List.of(), /* inSync= */ true));
        tell(holder, friend, "gpu-webhook/uid-1", new ReplicaMessage.JoinRequest<>());

        assertThat(spokenTo.poll(30, TimeUnit.SECONDS)).isEqualTo(friend);
    }

    private static void tell(TestReplica to, Member from, String cluster, ReplicaMessage<ReplicatedDecision> message) {
        to.receive(new OutboxMessage(to.self(), new ReplicationEnvelope<>(1, 1, cluster, from, message)));
    }
}
