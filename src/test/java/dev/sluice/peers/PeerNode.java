package dev.sluice.peers;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.EventBusLiveness;
import dev.sluice.bus.ForwardQuestion;
import dev.sluice.bus.ForwardReply;
import dev.sluice.bus.ForwardedReviewQuestion;
import dev.sluice.bus.ForwardedReviewQuestion.PeerReviewReply;
import dev.sluice.bus.OutboxMessage;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.MetricName;
import dev.sluice.metrics.parts.PeerMetrics;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicaMessage;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicationEnvelope;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import dev.sluice.webhook.intake.ConnectionLimits;
import dev.sluice.webhook.intake.Connections;
import dev.sluice.webhook.intake.GuardedTransport;
import dev.sluice.webhook.intake.IntakeSharedLimits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.net.ServerSocket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A process with the wire alone: its own Vert.x, its own port on the loopback interface, and real TLS. */
final class PeerNode implements AutoCloseable {

    static final int MOST_BODY_BYTES = 64 * 1024;
    static final long PATIENCE_SECONDS = 10;

    private static final AtomicInteger NAMES = new AtomicInteger();

    final Vertx vertx;
    final Member self;
    final int port;
    final BlockingQueue<ReplicationEnvelope<ReplicatedDecision>> inbox = new LinkedBlockingQueue<>();
    private final Connections connections;
    private final PeerMetrics metrics;
    private String deployment = "";

    private PeerNode(Member self, int port) {
        IntakeSharedLimits intake = IntakeSharedLimits.forWebhook(MOST_BODY_BYTES);
        this.self = self;
        this.port = port;
        this.connections = new Connections(ConnectionLimits.PEERS, intake.abuse());
        this.metrics = new PeerMetrics(connections);
        this.vertx = Vertx.builder()
                .withTransport(GuardedTransport.of(Map.of(port, connections)))
                .build();
        Topic.install(vertx);
        Topic.PEER_INBOX.subscribe(vertx, inbox::add);
    }

    static PeerNode start(ServerTls tls) throws Exception {
        int port = freePort();
        return startAs(new Member("pod_" + NAMES.incrementAndGet(), "127.0.0.1:" + port), port, tls);
    }

    /** Starts a process with a given identity and address. */
    static PeerNode startAs(Member self, int port, ServerTls tls) throws Exception {
        PeerNode node = new PeerNode(self, port);
        PeerPortSettings settings = new PeerPortSettings("127.0.0.1", port, self.address(), tls);
        node.deployment = await(node.vertx.deployVerticle(new PeerVerticle(
                settings,
                node.connections,
                IntakeSharedLimits.forWebhook(MOST_BODY_BYTES),
                MOST_BODY_BYTES,
                node.metrics)));
        node.knows(List.of());
        await(EventBusLiveness.ask(node.vertx, List.of(node.deployment)));
        return node;
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** The settings of a replica whose authorities are these. */
    static ServerTls tls(CertifiedKey identity, CertificateAuthority... authorities) {
        return tlsOf(TlsEngine.best(), identity, authorities);
    }

    static ServerTls tlsOf(TlsEngine engine, CertifiedKey identity, CertificateAuthority... authorities) {
        List<X509Certificate> trusted = List.of(authorities).stream()
                .map(authority -> authority.identity().certificate())
                .toList();
        return new ServerTls(identity, trusted, engine);
    }

    static CertifiedKey replica(CertificateAuthority authority) throws Exception {
        return Certificates.named(authority, CertificateUse.PEER_NAME);
    }

    /** Publishes that these other replicas are in sync. */
    void knows(List<Member> others) {
        Topic.REPLICATION.publish(
                vertx,
                new ReplicationStatusMessage(self, Optional.of(self), 1, others, Map.of(), 0, 0, Duration.ZERO, 0, ""));
    }

    /** Publishes that this replica decides. */
    void follows(Member holder) {
        Topic.REPLICATION.publish(
                vertx,
                new ReplicationStatusMessage(
                        self, Optional.of(holder), 2, List.of(), Map.of(), 0, 0, Duration.ZERO, 0, ""));
    }

    @CanIgnoreReturnValue
    PeerNode send(PeerNode to, long number) {
        return send(to.self, number);
    }

    @CanIgnoreReturnValue
    PeerNode send(Member to, long number) {
        Topic.PEER_OUTBOX.publish(
                vertx,
                new OutboxMessage(
                        to,
                        new ReplicationEnvelope<>(1, 1, "cluster", self, new ReplicaMessage.TermRefusal<>(number))));
        return this;
    }

    /** The number of the next message that arrives, apart from those of {@link #reach}. */
    long receive() throws InterruptedException {
        while (true) {
            ReplicationEnvelope<ReplicatedDecision> next = inbox.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("no message has arrived");
            }
            if (number(next) != 0) {
                return number(next);
            }
        }
    }

    static long number(ReplicationEnvelope<ReplicatedDecision> envelope) {
        return ((ReplicaMessage.TermRefusal<ReplicatedDecision>) envelope.message()).term();
    }

    /** Sends a message again and again until one arrives, as the protocol does. */
    void reach(PeerNode other) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (System.nanoTime() < end) {
            send(other, 0);
            if (other.inbox.poll(50, TimeUnit.MILLISECONDS) != null) {
                return;
            }
        }
        throw new AssertionError("no message has arrived");
    }

    void answers(Function<ForwardedReviewQuestion, Future<PeerReviewReply>> review) {
        Service.PEER_REVIEW.serveLater(vertx, review);
    }

    @CanIgnoreReturnValue
    ForwardReply forward(Member holder, Buffer review, Duration patience) throws Exception {
        return await(Service.FORWARD
                .ask(vertx, new ForwardQuestion(holder, review, BusRequestDeadline.in(patience)))
                .otherwise(new ForwardReply.Unreachable("there is no answer in time")));
    }

    void renew(ServerTls tls) throws Exception {
        await(Service.PEER_TLS.ask(vertx, tls).compose(changed -> changed));
    }

    double messages(String result) {
        return count(MetricName.PEER_MESSAGES, "result", result);
    }

    double connects(String result) {
        return count(MetricName.PEER_CONNECTS, "result", result);
    }

    double refused(String cause) {
        return count(MetricName.PEERS_REFUSED, "cause", cause);
    }

    private double count(MetricName name, String label, String value) {
        return metrics.families().counter(name, label, value).getCount();
    }

    int openConnections() {
        return connections.count();
    }

    /** Ends the verticle alone. The services of the process stay. */
    void undeploy() throws Exception {
        await(vertx.undeploy(deployment));
    }

    @CanIgnoreReturnValue
    static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        try {
            await(vertx.close());
        } catch (Exception unclosed) {
            throw new AssertionError("the process did not end", unclosed);
        }
    }
}
