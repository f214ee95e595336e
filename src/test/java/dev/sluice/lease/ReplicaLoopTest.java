package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.DecideReply;
import dev.sluice.bus.DecideRequest;
import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.Ledger;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.replication.InSyncRecord;
import dev.sluice.replication.Member;
import dev.sluice.replication.Replica;
import dev.sluice.replication.ReplicaMessage;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicatedEntry;
import dev.sluice.replication.ReplicationEnvelope;
import dev.sluice.replication.ReplicationTimes;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica among messages that a test sends, with a clock that moves only when the test says so. */
class ReplicaLoopTest {

    private static final Member SELF = new Member("self", "self:8444");
    private static final Member HOLDER = new Member("holder", "holder:8444");
    private static final String CLUSTER = "gpu-webhook/uid-1";
    private static final Amounts ONE_GPU = Amounts.of(ResourceName.NVIDIA_GPU, 1);

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<ReplicaMessage<ReplicatedDecision>> sent = new LinkedBlockingQueue<>();
    private volatile Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private final Ledger ledger = new Ledger();
    private final Context context = vertx.getOrCreateContext();
    private volatile boolean reached = true;
    private final AtomicInteger leaseRequests = new AtomicInteger();
    private final MemoryLease stored = new MemoryLease();
    private final SharedLease lease = stored.from(() -> reached, leaseRequests);
    private final Desk requests = new Desk(1);
    private final ReservingDecisions decisions = new ReservingDecisions(ledger, this::failing, (_, _, _) -> {});
    private final LeaseReplicaSettings settings = new LeaseReplicaSettings(SELF, lease, ReplicationTimes.of(34_000));
    private final Replica<ReplicatedDecision> replica = ReplicaLoop.replica(settings);
    /** How often the owner of the ledger was told to answer the requests that wait. */
    private final AtomicInteger changes = new AtomicInteger();

    private final ReplicaLoop loop = loop();
    private volatile boolean fails;

    @BeforeEach
    void joinsTheHolder() throws Exception {
        Topic.install(vertx);
        Topic.PEER_OUTBOX.subscribe(
                vertx, message -> sent.add(message.envelope().message()));
        var _ = write(null, HOLDER, 1, HOLDER);
        context.runOnContext(_ -> {
            loop.start();
            // The owner of the ledger calls this method several times a second.
            vertx.setPeriodic(10, _ -> loop.tick());
        });
        assertThat(sent.poll(20, TimeUnit.SECONDS)).isInstanceOf(ReplicaMessage.JoinRequest.class);
    }

    private ReplicaLoop loop() {
        InstantSource clock = () -> now;
        var _ = ledger.apply(new NodeEvent.NodesListed(List.of(Desk.node("n", Map.of(), Desk.machine(8))), 1));
        var _ = ledger.apply(new NodeEvent.NodesSyncedUpTo(now));
        var _ = ledger.apply(new PodEvent.ListEnded(1, now));
        LeaseGuard guard = new LeaseGuard(ledger, Optional.of(replica), clock, Duration.ofMinutes(10));
        return new ReplicaLoop(settings, replica, decisions, guard, clock, context, changes::incrementAndGet);
    }

    /** Writes the Lease as another replica, and returns its version. */
    private String write(@Nullable String basis, Member holder, long term, Member... members) throws Exception {
        InSyncRecord content = new InSyncRecord(holder, term, new TreeSet<>(List.of(members)), term);
        return ((SharedLease.LeaseWriteAnswer.Written)
                        lease.write(basis, content).toCompletableFuture().get(10, TimeUnit.SECONDS))
                .version();
    }

    private Instant failing() {
        if (fails) {
            throw new IllegalStateException("an error in the ledger");
        }
        return now;
    }

    @AfterEach
    void close() {
        var _ = vertx.close();
    }

    /** It lacks a reservation, so that the lease must not be handed to it. */
    @Test
    void aReplicaThatCannotCountADecisionSaysAtOnceThatItIsNotCurrent() throws Exception {
        hear(0, entry("s1"));
        assertThat(acknowledgement().current()).isTrue();
        fails = true;
        hear(1, entry("s2"));
        hear(2, entry("s3"));

        assertThat(acknowledgement().upTo()).isEqualTo(2);
        assertThat(acknowledgement().current()).isFalse();
        fails = false;
        hear(3, entry("s4"));
        assertThat(acknowledgement().current())
                .as("until the pod cannot appear any more")
                .isFalse();
    }

    /** The times are cut to milliseconds, so the watch may have been a little before the message. */
    @Test
    void whatTheWatchHasToldInTheMillisecondOfAMessageDoesNotSettleIt() throws Exception {
        hear(0, entry("s1"));
        assertThat(acknowledgement().settled()).isEqualTo(-1);
        ticks();
        hear(1, entry("s2"));
        assertThat(acknowledgement().settled()).isEqualTo(-1);

        context.runOnContext(_ -> {
            var _ = ledger.apply(new PodEvent.PodsSyncedUpTo(now.plusMillis(1)));
        });
        ticks();
        hear(2, entry("s3"));
        assertThat(acknowledgement().settled()).isEqualTo(2);
    }

    /** Another replica may have decided between the two terms. */
    @Test
    void theAnswersOfAnEarlierTermAreNotRepeated() throws Exception {
        DecideRequest call = requests.question("team-a", "pod", Desk.pod(1));
        String first = Desk.stamp(onLoop(() -> decided(call)));
        assertThat(Desk.stamp(onLoop(() -> decided(call)))).isEqualTo(first);
        lead(SELF);

        assertThat(Desk.stamp(onLoop(() -> decided(call)))).isNotEmpty().isNotEqualTo(first);
    }

    @Test
    void onlySoManyRequestsWaitUntilTheHolderIsKnown() throws Exception {
        DecideRequest call = requests.question("team-a", "pod", Desk.pod(1));
        List<Future<DecideReply>> waiting = onLoop(() ->
                IntStream.range(0, 5_000).mapToObj(_ -> loop.whenKnown(call)).toList());

        List<Future<DecideReply>> refused =
                waiting.stream().filter(Future::isComplete).toList();
        assertThat(refused).isNotEmpty().hasSizeLessThan(2_000);
        assertThat(refused).allSatisfy(reply -> assertThat(reply.result()).isInstanceOf(DecideReply.NotNow.class));
    }

    /** The caller does not wait longer for it than the API server does. */
    @Test
    void whoWaitsForOtherReplicasIsToldWhenTheTimeIsOver() throws Exception {
        DecideRequest call = requests.question("team-a", "pod", Desk.pod(1));
        assertThat(call.deadline().isOver()).isTrue();
        lead(SELF, HOLDER);
        Future<DecideReply> reply = onLoop(() -> {
            loop.reserved("s2", "u2", entry("s2").change());
            return loop.whenShared(call, new ReservingDecisions.DecidedAnswer(decided(call), "s2"));
        });
        ticks();
        assertThat(reply.isComplete()).isFalse();

        var _ = onLoop(() -> {
            loop.sweep(/* repeat= */ false);
            loop.sweep(/* repeat= */ false);
            return reply;
        });

        assertThat(TestReplica.await(reply)).isInstanceOf(DecideReply.NotNow.class);
    }

    /** The next holder decides again, and who waits for the answer is not refused. */
    @Test
    void anAnswerOfAFormerHolderWaitsUntilTheNextOneIsKnown() throws Exception {
        DecideRequest call = requests.question("team-a", "pod", Desk.pod(1));
        lead(SELF, HOLDER);
        Future<DecideReply> reply = onLoop(() -> {
            loop.reserved("s2", "u2", entry("s2").change());
            return loop.whenShared(call, new ReservingDecisions.DecidedAnswer(decided(call), "s2"));
        });

        tell(new ReplicaMessage.TermRefusal<>(3));
        List<ReplicaLoop.UndecidedRequest> waiting = onLoop(loop::takeUndecided);

        assertThat(reply.isComplete()).isFalse();
        assertThat(waiting).extracting(ReplicaLoop.UndecidedRequest::request).containsExactly(call);
        DecideReply next = new DecideReply.Elsewhere(HOLDER);
        waiting.getFirst().reply().complete(next);
        assertThat(TestReplica.await(reply)).isEqualTo(next);
    }

    /** Else they would wait until their own deadlines. */
    @Test
    void requestsThatWaitAreLookedAtAgainAtEachTick() throws Exception {
        hear(0, entry("s1"));
        assertThat(acknowledgement().upTo()).isEqualTo(1);
        DecideRequest call = requests.question("team-a", "pod", Desk.pod(1));
        var _ = onLoop(() -> loop.whenKnown(call));
        int before = changes.get();
        eventually(() -> changes.get() > before + 2);

        assertThat(onLoop(loop::takeUndecided)).hasSize(1);
        assertThat(onLoop(loop::takeUndecided)).as("each is answered once").isEmpty();
        int after = changes.get();
        ticks();
        assertThat(changes).as("nobody waits").hasValue(after);
    }

    @Test
    void requestsWaitForTheNextHolderNoLongerThanThreeSeconds() throws Exception {
        assertThat(onLoop(loop::isChangingHands)).as("no holder was known yet").isFalse();
        var _ = onLoop(() -> {
            loop.answerable();
            return true;
        });
        now = now.plusMillis(2_999);
        assertThat(onLoop(loop::isChangingHands)).isTrue();
        now = now.plusMillis(1);
        assertThat(onLoop(loop::isChangingHands)).isFalse();
    }

    /** It takes longer than anybody waits until the pods that another holder may have admitted are seen. */
    @Test
    void requestsDoNotWaitForAHolderThatHasToWaitItself() throws Exception {
        stored.delete();
        passTimeUntil(() -> stored.stored()
                .filter(record -> Objects.equals(record.content().holder(), SELF))
                .isPresent());
        var _ = onLoop(() -> {
            loop.answerable();
            return true;
        });

        assertThat(onLoop(loop::isChangingHands)).isFalse();
    }

    @Test
    void joinsThatWereRefusedAreToldInTheStatus() throws Exception {
        BlockingQueue<Long> refused = new LinkedBlockingQueue<>();
        Topic.REPLICATION.subscribe(vertx, status -> refused.add(status.refusedJoins()));
        lead(SELF);
        for (int i = 0; i < 40; i++) {
            tellFrom(new Member("stranger-" + i, ""), new ReplicaMessage.JoinRequest<>());
        }
        var _ = onLoop(() -> {
            loop.sweep(/* repeat= */ false);
            return true;
        });

        passTimeUntil(() -> refused.stream().anyMatch(count -> count == 8));
    }

    /** The pod was seen, so no reservation is left that the former holder might not have had. */
    @Test
    void whatHasEndedDoesNotDelayTheDecisionsOfTheNextHolder() throws Exception {
        hear(0, entry("s1"));
        assertThat(acknowledgement().upTo()).isEqualTo(1);
        tell(new ReplicaMessage.EntryBatch<>(2, -1, 0, List.of(), /* inSync= */ true));
        assertThat(acknowledgement().upTo()).isZero();
        var _ = onLoop(() -> ledger.apply(new PodEvent.PodSeen(new Pod(
                PodId.of("team-a/pod-s1"),
                "team-a/pod-s1",
                new Pod.Place.Unbound(NodeConstraints.NONE, null),
                ONE_GPU.plus(Amounts.of(ResourceName.PODS, 1)),
                "s1",
                100))));
        var _ = write("uid-1/1", SELF, 3, SELF);
        tell(new ReplicaMessage.HandoverNotice<>(3));

        eventually(() -> onLoop(replica::isLeading));
        assertThat(onLoop(() -> replica.mayDecide(now.toEpochMilli()))).isTrue();
    }

    /** A replica that has left the set hears nothing of it in another way. */
    @Test
    void theLeaseIsReadWhenTheHolderDoesNotTakeAReview() throws Exception {
        hear(0, entry("s1"));
        assertThat(acknowledgement().upTo()).isEqualTo(1);
        Member successor = new Member("successor", "successor:8444");
        BlockingQueue<Member> holders = new LinkedBlockingQueue<>();
        Topic.REPLICATION.subscribe(
                vertx,
                status ->
                        status.holder().filter(holder -> !holder.equals(HOLDER)).ifPresent(holders::add));
        var _ = write("uid-1/1", successor, 2, successor);
        now = now.plusMillis(100);

        Topic.HOLDER_REFUSED.publish(vertx, new Topic.HolderRefused(HOLDER));

        assertThat(holders.poll(20, TimeUnit.SECONDS)).isEqualTo(successor);
    }

    /** The API server may have stored pods that the watch does not show, so their room is not given away. */
    @Test
    void aFailedLeaseRequestCastsDoubtOnTheWatch() throws Exception {
        lead(SELF);
        assertThat(givesRoomTo("first")).isTrue();
        reached = false;
        int before = leaseRequests.get();
        now = now.plusSeconds(9);
        while (leaseRequests.get() == before) {
            ticks();
        }
        assertThat(givesRoomTo("second")).isFalse();

        var _ = onLoop(() -> ledger.apply(new PodEvent.PodsSyncedUpTo(now)));
        assertThat(givesRoomTo("third")).isTrue();
    }

    /** A write is given up only after 5 s, when a decision is overdue whose pod the watch has not shown either. */
    @Test
    void aLeaseRequestWithoutAnAnswerForASecondCastsDoubtOnTheWatch() throws Exception {
        lead(SELF);
        assertThat(givesRoomTo("first")).isTrue();
        CompletableFuture<Void> answer = new CompletableFuture<>();
        stored.answerAfter(answer);
        int before = leaseRequests.get();
        now = now.plusSeconds(2);
        while (leaseRequests.get() == before) {
            ticks();
        }
        now = now.plusMillis(3_500);
        ticks();
        assertThat(givesRoomTo("second")).isFalse();

        answer.complete(null);
        ticks();
        assertThat(givesRoomTo("third")).isFalse();

        var _ = onLoop(() -> ledger.apply(new PodEvent.PodsSyncedUpTo(now)));
        assertThat(givesRoomTo("fourth")).isTrue();
    }

    /** Else a process that starts after somebody has deleted the Lease would never hear the others. */
    @Test
    void messagesNameTheLeaseThatIsThereNow() throws Exception {
        BlockingQueue<String> clusters = new LinkedBlockingQueue<>();
        Topic.PEER_OUTBOX.subscribe(
                vertx, message -> clusters.add(message.envelope().cluster()));
        stored.delete();
        var _ = write(null, HOLDER, 2, HOLDER);

        passTimeUntil(() -> clusters.contains("gpu-webhook/uid-2"));
    }

    @Test
    void theReasonWhyTheLeaseCannotBeReadIsToldUntilItCanBe() throws Exception {
        AtomicReference<String> problem = new AtomicReference<>("");
        Topic.REPLICATION.subscribe(vertx, status -> problem.set(status.leaseProblem()));
        reached = false;
        passTimeUntil(() -> problem.get().contains("not reached"));
        reached = true;
        passTimeUntil(() -> problem.get().isEmpty());
    }

    /** The owner of the ledger tells the loop once a second to publish what has changed. */
    private void passTimeUntil(BooleanSupplier condition) throws Exception {
        for (int second = 0; second < 60 && !condition.getAsBoolean(); second++) {
            now = now.plusSeconds(1);
            var _ = onLoop(() -> {
                loop.sweep(/* repeat= */ false);
                return true;
            });
            ticks();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    /** The clock stands still. */
    private void eventually(Callable<Boolean> condition) throws Exception {
        for (int tick = 0; tick < 100 && !condition.call(); tick++) {
            ticks();
        }
        assertThat(condition.call()).isTrue();
    }

    private boolean givesRoomTo(String name) throws Exception {
        return Desk.isGiven(onLoop(() -> decided(requests.question("team-a", name, Desk.pod(7)))));
    }

    /** The holder hands the lease over to this replica. */
    private void lead(Member... members) throws Exception {
        hear(0, entry("s1"));
        Promise<LeaseStateMessage> leads = Promise.promise();
        Topic.LEASE_STATE.subscribe(vertx, state -> {
            if (state instanceof LeaseStateMessage.Leading) {
                leads.tryComplete(state);
            }
        });
        var _ = write("uid-1/1", SELF, 2, members);
        tell(new ReplicaMessage.HandoverNotice<>(2));
        assertThat(TestReplica.await(leads.future())).isNotNull();
    }

    private Verdict decided(DecideRequest call) {
        return decisions.decide(call, ledger.snapshot()).verdict();
    }

    private <T> T onLoop(Supplier<T> task) throws Exception {
        Promise<T> done = Promise.promise();
        context.runOnContext(_ -> done.complete(task.get()));
        return TestReplica.await(done.future());
    }

    private void ticks() throws Exception {
        var _ = TestReplica.await(vertx.timer(100, TimeUnit.MILLISECONDS));
    }

    private void hear(long after, ReplicatedEntry<ReplicatedDecision> entry) {
        ReplicaMessage<ReplicatedDecision> message = new ReplicaMessage.EntryBatch<>(
                1, after == 0 ? -1 : after, after + 1, List.of(entry), /* inSync= */ true);
        tell(message);
    }

    private void tell(ReplicaMessage<ReplicatedDecision> message) {
        tellFrom(HOLDER, message);
    }

    private void tellFrom(Member from, ReplicaMessage<ReplicatedDecision> message) {
        Topic.PEER_INBOX.publish(vertx, new ReplicationEnvelope<>(1, 1, CLUSTER, from, message));
    }

    private static ReplicatedEntry<ReplicatedDecision> entry(String stamp) {
        PlacementRequest placement =
                new PlacementRequest(stamp, "team-a", ONE_GPU, NodeConstraints.NONE, /* promised= */ true);
        return new ReplicatedEntry<>(
                1,
                stamp,
                "uid-of-" + stamp,
                new ReplicatedDecision(
                        placement, "pod-" + stamp, 0, Verdict.Outcome.UNCHANGED, Reason.OFFERED, List.of()));
    }

    private ReplicaMessage.Acknowledgement<ReplicatedDecision> acknowledgement() throws InterruptedException {
        while (true) {
            ReplicaMessage<ReplicatedDecision> next = sent.poll(20, TimeUnit.SECONDS);
            assertThat(next).isNotNull();
            if (next instanceof ReplicaMessage.Acknowledgement<ReplicatedDecision> found) {
                return found;
            }
        }
    }
}
