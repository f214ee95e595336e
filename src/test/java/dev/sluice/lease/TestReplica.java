package dev.sluice.lease;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.Policies;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DecideReply;
import dev.sluice.bus.DecideRequest;
import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.OutboxMessage;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodEvent;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicationTimes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A process with a bus and an event loop of its own, in which the owner of the ledger runs as in a gateway. */
final class TestReplica {

    private final Member self;
    private final Vertx vertx = Vertx.vertx(new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(1)
            .setBlockedThreadCheckInterval(TimeUnit.HOURS.toMillis(1)));
    private final AtomicInteger leaseRequests = new AtomicInteger();
    private final String deployment;
    private final BlockingQueue<ReplicationStatusMessage> statuses = new LinkedBlockingQueue<>();
    private @Nullable ReplicationStatusMessage last;
    private final BlockingQueue<DecisionGateMessage> gates = new LinkedBlockingQueue<>();
    private volatile DecisionGateMessage gate = new DecisionGateMessage("nothing was heard yet");
    private volatile boolean dead;
    private volatile CountDownLatch stopped = new CountDownLatch(0);

    /**
     * Starts a process.
     *
     * @param wire takes each message that the process sends
     */
    TestReplica(Member self, MemoryLease lease, ReplicationTimes times, List<Node> nodes, Consumer<OutboxMessage> wire)
            throws Exception {
        this.self = self;
        Topic.install(vertx);
        Topic.REPLICATION.subscribe(vertx, statuses::add);
        Topic.DECISION_GATE.subscribe(vertx, newest -> {
            gate = newest;
            gates.add(newest);
        });
        Topic.PEER_OUTBOX.subscribe(vertx, message -> {
            if (!dead) {
                wire.accept(message);
            }
        });
        Instant start = Instant.now();
        long startNanos = System.nanoTime();
        deployment = await(vertx.deployVerticle(new DecisionVerticle(
                ActivePolicy.first(new Policies(Desk.DENY, Map.of()), Injector.NONE),
                Optional.of(new LeaseReplicaSettings(self, lease.from(() -> !dead, leaseRequests), times)),
                () -> start.plusNanos(System.nanoTime() - startNanos),
                Duration.ofSeconds(30))));
        tell(new NodeEvent.NodesListed(nodes, 1));
        tell(new PodEvent.ListBegun());
        tell(new PodEvent.ListEnded(1, Instant.now()));
        proveCurrent();
        vertx.setPeriodic(50, _ -> proveCurrent());
    }

    /** Everything up to now was told. */
    private void proveCurrent() {
        Instant now = Instant.now();
        tell(new NodeEvent.NodesSyncedUpTo(now));
        tell(new PodEvent.PodsSyncedUpTo(now));
    }

    static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    Member self() {
        return self;
    }

    Vertx vertx() {
        return vertx;
    }

    int leaseRequests() {
        return leaseRequests.get();
    }

    void tell(ClusterEvent event) {
        Topic.CLUSTER_EVENTS.publish(vertx, event);
    }

    void receive(OutboxMessage message) {
        if (!dead) {
            Topic.PEER_INBOX.publish(vertx, message.envelope());
        }
    }

    /** Waits until the newest status is such, and returns it. */
    @CanIgnoreReturnValue
    ReplicationStatusMessage awaitStatus(Predicate<ReplicationStatusMessage> condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            ReplicationStatusMessage next = statuses.poll();
            if (next != null) {
                last = next;
            } else if (last != null && condition.test(last)) {
                return last;
            } else {
                last = statuses.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (last == null) {
                    throw new AssertionError("the status of " + self + " did not become such");
                }
            }
        }
    }

    DecisionGateMessage gate() {
        return gate;
    }

    /** Waits until the gate that is published next, or one after it, is such. */
    void awaitGate(Predicate<DecisionGateMessage> condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        gates.clear();
        for (DecisionGateMessage next = gate; !condition.test(next); ) {
            next = gates.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                throw new AssertionError("the gate of " + self + " did not become such");
            }
        }
    }

    /** Nothing that the process does reaches anybody from now on. */
    void kill() {
        dead = true;
    }

    boolean isDead() {
        return dead;
    }

    /** The process stands still, and its clock goes on. */
    void stop() throws InterruptedException {
        CountDownLatch until = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        stopped = until;
        vertx.runOnContext(_ -> {
            begun.countDown();
            try {
                until.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        begun.await();
    }

    void wakeUp() {
        stopped.countDown();
    }

    Future<DecideReply> ask(String uid, String name, PodRequest pod) {
        return ask(uid, name, pod, DecideRequest.ReviewEffect.REAL);
    }

    Future<DecideReply> ask(String uid, String name, PodRequest pod, DecideRequest.ReviewEffect effect) {
        BusRequestDeadline deadline = BusRequestDeadline.in(Duration.ofSeconds(10));
        return Service.DECIDE.ask(
                vertx,
                new DecideRequest(
                        uid,
                        name,
                        PodOwner.NONE,
                        effect,
                        pod,
                        new NamespacePolicy(Desk.DENY, Injector.NONE, "team"),
                        deadline),
                deadline);
    }

    /** The process is told to end, and ends when nobody needs it any more. */
    void leave() throws Exception {
        Topic.LEAVING.publish(vertx, new Topic.Leaving());
        var _ = await(vertx.undeploy(deployment));
    }

    Future<?> close() {
        wakeUp();
        return vertx.close();
    }
}
