package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodEvent;
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
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica among messages that a test sends, with a clock that stands still. */
class ReplicaLoopTest {

    private static final Member SELF = new Member("self", "self:8444");
    private static final Member HOLDER = new Member("holder", "holder:8444");
    private static final String CLUSTER = "gpu-webhook/uid-1";

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<ReplicaMessage<ReplicatedDecision>> sent = new LinkedBlockingQueue<>();
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private final Ledger ledger = new Ledger();
    private final Context context = vertx.getOrCreateContext();
    private volatile boolean fails;

    @BeforeEach
    void joinsTheHolder() throws Exception {
        Topic.install(vertx);
        Topic.PEER_OUTBOX.subscribe(
                vertx, message -> sent.add(message.envelope().message()));
        SharedLease lease = new MemoryLease().from(() -> true, new AtomicInteger());
        var _ = lease.write(null, new InSyncRecord(HOLDER, 1, new TreeSet<>(List.of(HOLDER)), 0))
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        LeaseReplicaSettings settings = new LeaseReplicaSettings(SELF, lease, ReplicationTimes.of(34_000));
        ReplicaLoop loop = loop(settings);
        context.runOnContext(_ -> {
            loop.start();
            // As the owner of the ledger calls it.
            vertx.setPeriodic(10, _ -> loop.tick());
        });
        assertThat(sent.poll(20, TimeUnit.SECONDS)).isInstanceOf(ReplicaMessage.JoinRequest.class);
    }

    private ReplicaLoop loop(LeaseReplicaSettings settings) {
        InstantSource clock = () -> now;
        var _ = ledger.apply(new NodeEvent.NodesListed(List.of(Desk.node("n", Map.of(), Desk.machine(8))), 1));
        var _ = ledger.apply(new NodeEvent.NodesSyncedUpTo(now));
        var _ = ledger.apply(new PodEvent.ListEnded(1, now));
        Replica<ReplicatedDecision> replica = ReplicaLoop.replica(settings);
        ReservingDecisions decisions = new ReservingDecisions(ledger, this::failing, (_, _, _) -> {});
        LeaseGuard guard = new LeaseGuard(ledger, Optional.of(replica), clock, Duration.ofMinutes(10));
        return new ReplicaLoop(settings, replica, decisions, guard, clock, context, () -> {});
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

    private void ticks() throws Exception {
        var _ = TestReplica.await(vertx.timer(100, TimeUnit.MILLISECONDS));
    }

    private void hear(long after, ReplicatedEntry<ReplicatedDecision> entry) {
        ReplicaMessage<ReplicatedDecision> message = new ReplicaMessage.EntryBatch<>(
                1, after == 0 ? -1 : after, after + 1, List.of(entry), /* inSync= */ true);
        Topic.PEER_INBOX.publish(vertx, new ReplicationEnvelope<>(1, 1, CLUSTER, HOLDER, message));
    }

    private static ReplicatedEntry<ReplicatedDecision> entry(String stamp) {
        PlacementRequest placement =
                new PlacementRequest(stamp, "team-a", Desk.machine(1), NodeConstraints.NONE, /* promised= */ true);
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
