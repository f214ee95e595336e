package dev.sluice.bench;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.management.OperatingSystemMXBean;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.ForwardQuestion;
import dev.sluice.bus.ForwardReply;
import dev.sluice.bus.ForwardedReviewQuestion;
import dev.sluice.bus.ForwardedReviewQuestion.PeerReviewReply;
import dev.sluice.bus.OutboxMessage;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.metrics.parts.PeerMetrics;
import dev.sluice.peers.PeerPortSettings;
import dev.sluice.peers.PeerVerticle;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicaMessage;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicatedEntry;
import dev.sluice.replication.ReplicationEnvelope;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import dev.sluice.webhook.intake.ConnectionLimits;
import dev.sluice.webhook.intake.Connections;
import dev.sluice.webhook.intake.GuardedTransport;
import dev.sluice.webhook.intake.IntakeSharedLimits;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Prints what the wire between replicas costs: the time of a review that is answered by another replica beside one that
 * is answered here, and the processor time of forwarded reviews and of messages, at both ends together. Both replicas
 * are in this process, on the loopback interface, with mutual TLS. The answer is made of nothing, so that only the wire
 * counts.
 */
final class PeerWire {

    private static final int BODY_BYTES = 7 * 1024;
    private static final int WARM_UP = 20_000;
    private static final int MEASURED = 20_000;
    private static final int ROUNDS = 3;
    private static final int AT_ONCE = 16;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private PeerWire() {}

    /** One replica. */
    private record Side(Vertx vertx, Member self) {

        static Side start(int port, ServerTls tls) throws Exception {
            IntakeSharedLimits intake = IntakeSharedLimits.forWebhook(1 << 20);
            Connections connections = new Connections(ConnectionLimits.PEERS, intake.abuse());
            Vertx vertx = Vertx.builder()
                    .with(new VertxOptions().setEventLoopPoolSize(2))
                    .withTransport(GuardedTransport.of(Map.of(port, connections)))
                    .build();
            Topic.install(vertx);
            Member self = new Member("pod_" + port, "127.0.0.1:" + port);
            await(vertx.deployVerticle(new PeerVerticle(
                    new PeerPortSettings("127.0.0.1", port, self.address(), tls),
                    connections,
                    intake,
                    1 << 20,
                    new PeerMetrics(connections))));
            Topic.REPLICATION.publish(
                    vertx,
                    new ReplicationStatusMessage(
                            self, Optional.of(self), 1, List.of(), Map.of(), 0, 0, Duration.ZERO, 0, ""));
            return new Side(vertx, self);
        }
    }

    public static void main(String[] args) throws Exception {
        CertificateAuthority authority =
                CertificateAuthority.create(Instant.now(), Duration.ofDays(1), CertificateUse.PEERS);
        ServerTls tls = new ServerTls(
                authority.issueForPeers(Instant.now(), Duration.ofDays(1)),
                List.of(authority.identity().certificate()),
                TlsEngine.best());
        Side here = Side.start(18_441, tls);
        Side holder = Side.start(18_442, tls);
        PeerReviewReply reply = new PeerReviewReply(200, "application/json", Buffer.buffer(new byte[600]));
        await(holder.vertx().deployVerticle(new VerticleBase() {
            @Override
            public Future<?> start() {
                Service.PEER_REVIEW.serve(vertx, _ -> reply);
                return Future.succeededFuture();
            }
        }));
        Buffer review = Buffer.buffer(new byte[BODY_BYTES]);
        for (int round = 1; round <= ROUNDS; round++) {
            System.out.printf("round %d%n", round);
            time("answered here", () -> {
                var _ = await(Service.PEER_REVIEW.ask(
                        holder.vertx(), new ForwardedReviewQuestion(review, BusRequestDeadline.in(PATIENCE))));
            });
            time("answered by another replica", () -> {
                var _ = await(forward(here, holder, review));
            });
            loadWithReviews(here, holder, review);
            for (int entries : new int[] {0, 1, 16, 64}) {
                loadWithMessages(here, holder, entries);
            }
        }
        await(here.vertx().close());
        await(holder.vertx().close());
    }

    private static Future<ForwardReply> forward(Side from, Side to, Buffer review) {
        return Service.FORWARD.ask(
                from.vertx(), new ForwardQuestion(to.self(), review, BusRequestDeadline.in(PATIENCE)));
    }

    private interface OneCall {
        void run() throws Exception;
    }

    /** One call after the other. */
    private static void time(String what, OneCall call) throws Exception {
        long[] nanos = new long[MEASURED];
        for (int i = 0; i < WARM_UP / 4; i++) {
            call.run();
        }
        for (int i = 0; i < MEASURED; i++) {
            long begun = System.nanoTime();
            call.run();
            nanos[i] = System.nanoTime() - begun;
        }
        Arrays.sort(nanos);
        System.out.printf(
                "%-30s p50 %6.0f µs, p90 %6.0f µs, p99 %6.0f µs%n",
                what,
                nanos[MEASURED / 2] / NANOS_PER_MICRO,
                nanos[MEASURED * 9 / 10] / NANOS_PER_MICRO,
                nanos[MEASURED * 99 / 100] / NANOS_PER_MICRO);
    }

    private static void loadWithReviews(Side from, Side to, Buffer review) throws Exception {
        Semaphore free = new Semaphore(AT_ONCE);
        AtomicLong failed = new AtomicLong();
        long begun = 0;
        for (int i = 0; i < WARM_UP + MEASURED; i++) {
            if (i == WARM_UP) {
                begun = PROCESS.getProcessCpuTime();
            }
            free.acquire();
            forward(from, to, review).onComplete(result -> {
                if (!(result.result() instanceof ForwardReply.HolderAnswered)) {
                    failed.incrementAndGet();
                }
                free.release();
            });
        }
        free.acquire(AT_ONCE);
        System.out.printf(
                "forwarded, %d at once: %.1f µs of processor time each, both ends together; %d failed%n",
                AT_ONCE, (PROCESS.getProcessCpuTime() - begun) / NANOS_PER_MICRO / MEASURED, failed.get());
    }

    private static void loadWithMessages(Side from, Side to, int entries) throws Exception {
        OutboxMessage message = new OutboxMessage(to.self(), batch(from.self(), entries));
        Semaphore arrived = new Semaphore(0);
        var inbox = Topic.PEER_INBOX.subscribe(to.vertx(), _ -> arrived.release());
        long begun = 0;
        int count = MEASURED / 4;
        for (int i = -count; i < count; i++) {
            if (i == 0) {
                begun = PROCESS.getProcessCpuTime();
            }
            Topic.PEER_OUTBOX.publish(from.vertx(), message);
            if (!arrived.tryAcquire(1, TimeUnit.SECONDS)) {
                System.out.println("a message was lost");
            }
        }
        double each = (PROCESS.getProcessCpuTime() - begun) / NANOS_PER_MICRO / count;
        System.out.printf(
                "message with %2d entries, one after the other: %.1f µs of processor time, both ends together%n",
                entries, each);
        await(inbox.unregister());
    }

    private static ReplicationEnvelope<ReplicatedDecision> batch(Member from, int entries) {
        return new ReplicationEnvelope<>(
                1,
                1,
                "gpu-webhook/1c0ffee0-0000-4000-8000-000000000000",
                from,
                new ReplicaMessage.EntryBatch<>(
                        7,
                        0,
                        entries,
                        Stream.generate(PeerWire::entry).limit(entries).toList(),
                        true));
    }

    private static ReplicatedEntry<ReplicatedDecision> entry() {
        PlacementRequest placement = new PlacementRequest(
                "5dd6e1a6f3c24b2f",
                "team-vision",
                Amounts.of(ResourceName.NVIDIA_GPU, 1)
                        .plus(Amounts.of(ResourceName.CPU, 8_000))
                        .plus(Amounts.of(ResourceName.MEMORY, 34_359_738_368L))
                        .plus(Amounts.of(ResourceName.PODS, 1)),
                new NodeConstraints(null, Map.of("pool", "a100"), null, List.of()),
                true);
        return new ReplicatedEntry<>(
                7,
                placement.stamp(),
                "0f2b5a51-3d8e-4c55-9f10-5f6b1a2c3d4e",
                new ReplicatedDecision(
                        placement, "trainer-*", 123_456_789, Verdict.Outcome.UNCHANGED, Reason.OFFERED, List.of()));
    }

    @CanIgnoreReturnValue
    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
