package dev.sluice.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.OutboxMessage;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicaMessage;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicatedEntry;
import dev.sluice.replication.ReplicationEnvelope;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages between processes over real TLS, and what strangers and broken replicas can do. */
@Timeout(60)
class PeerVerticleTest {

    private final CertificateAuthority authority = Certificates.authority();
    private final List<PeerNode> nodes = new ArrayList<>();
    private final List<WebSocketClient> clients = new ArrayList<>();

    private PeerNode start(ServerTls tls) throws Exception {
        PeerNode node = PeerNode.start(tls);
        nodes.add(node);
        return node;
    }

    private PeerNode start() throws Exception {
        return start(PeerNode.tls(PeerNode.replica(authority), authority));
    }

    @AfterEach
    void close() throws Exception {
        for (PeerNode node : nodes) {
            node.close();
        }
    }

    private static void eventually(String what, BooleanSupplier check) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PeerNode.PATIENCE_SECONDS);
        while (!check.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as(what).isNegative();
            assertThat(new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void messagesGoBothWaysInTheirOrder(TlsEngine engine) throws Exception {
        PeerNode one = start(PeerNode.tlsOf(engine, PeerNode.replica(authority), authority));
        PeerNode other = start(PeerNode.tlsOf(engine, PeerNode.replica(authority), authority));

        one.reach(other);
        other.reach(one);
        double before = one.messages("sent");
        for (int number = 1; number <= 10; number++) {
            one.send(other, number);
            other.send(one, 100 + number);
        }

        for (int number = 1; number <= 10; number++) {
            assertThat(other.receive()).isEqualTo(number);
            assertThat(one.receive()).isEqualTo(100 + number);
        }
        assertThat(one.messages("sent")).isEqualTo(before + 10);
    }

    @Test
    void eachOfThreeReplicasReachesTheOthers() throws Exception {
        List<PeerNode> three = List.of(start(), start(), start());

        for (PeerNode from : three) {
            for (PeerNode to : three) {
                if (from != to) {
                    from.reach(to);
                    from.send(to, from.port);
                    assertThat(to.receive()).isEqualTo(from.port);
                }
            }
        }
        assertThat(three).allMatch(node -> node.connects("opened") >= 2);
    }

    private void isAStranger(CertifiedKey identity, CertificateAuthority... trusted) throws Exception {
        PeerNode replica = start();
        PeerNode stranger = start(PeerNode.tls(identity, trusted));

        stranger.send(replica, 1);
        replica.send(stranger, 2);

        eventually("both fail", () -> stranger.connects("failed") > 0 && replica.connects("failed") > 0);
        assertThat(replica.inbox).isEmpty();
        assertThat(stranger.inbox).isEmpty();
        assertThat(replica.messages("received") + stranger.messages("received")).isZero();
        assertThat(replica.messages("sent")).isZero();
    }

    /** Shows availability-mode.md F14. */
    @Test
    void aCertificateOfAnotherAuthorityIsRefusedOnBothSides() throws Exception {
        CertificateAuthority other = Certificates.authority();

        // It trusts the right authority, so only the replica refuses.
        isAStranger(PeerNode.replica(other), authority, other);
    }

    /** Shows availability-mode.md F14. */
    @Test
    void aCertificateWithAnotherNameIsRefusedOnBothSides() throws Exception {
        isAStranger(Certificates.named(authority, "gpu-webhook.gpu-webhook.svc"), authority);
    }

    @Test
    void aCertificateWhoseNameOnlyBeginsAlikeIsRefused() throws Exception {
        isAStranger(Certificates.named(authority, "gpu-webhook-peers.evil.example"), authority);
    }

    /** Shows availability-mode.md F14. */
    @Test
    void aClientWithoutACertificateIsRefusedAndCounted() throws Exception {
        PeerNode replica = start();
        WebSocketClientOptions options = new PeerTls(PeerNode.tls(PeerNode.replica(authority), authority))
                .client(new WebSocketClientOptions())
                .setVerifyHost(false)
                .setKeyCertOptions(null);

        assertThat(connect(replica, options, PeerLink.pathOf(replica.self.identity())))
                .isFalse();
        eventually("it is counted", () -> replica.refused("no_client_certificate") == 1);
    }

    /** Vert.x closes a client that nobody refers to. */
    private WebSocketClient client(PeerNode of, WebSocketClientOptions options) {
        WebSocketClient client = of.vertx.createWebSocketClient(options.setClosingTimeout(0));
        clients.add(client);
        return client;
    }

    private boolean connect(PeerNode to, WebSocketClientOptions options, String path) throws Exception {
        WebSocketConnectOptions address = new WebSocketConnectOptions();
        address.setPort(to.port).setHost("127.0.0.1").setURI(path);
        return PeerNode.await(
                client(to, options).connect(address).transform(result -> Future.succeededFuture(result.succeeded())));
    }

    /** Plain HTTP, and clients that never begin a handshake, take nothing from the replicas. */
    @Test
    void strangersWithoutTlsDoNotKeepReplicasApart() throws Exception {
        PeerNode one = start();
        PeerNode other = start();
        List<Socket> strangers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Socket stranger = new Socket(InetAddress.ofLiteral("127.0.0.1"), other.port);
            strangers.add(stranger);
            if (i % 2 == 0) {
                write(stranger, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            }
        }

        one.reach(other);
        other.reach(one);

        assertThat(other.openConnections()).isLessThanOrEqualTo(66);
        assertThat(other.refused("not_tls")).isPositive();
        for (Socket stranger : strangers) {
            stranger.close();
        }
    }

    private static void write(Socket socket, String text) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(text.getBytes(StandardCharsets.US_ASCII));
            out.flush();
        } catch (IOException alreadyClosed) {
            // The server may refuse sooner than this client writes.
        }
    }

    /** Another process at the address of one that has died must not take its messages. */
    @Test
    void aProcessTakesNoMessagesForItsPredecessor() throws Exception {
        PeerNode one = start();
        ServerTls tls = PeerNode.tls(PeerNode.replica(authority), authority);
        PeerNode before = PeerNode.start(tls);
        one.reach(before);
        before.close();
        PeerNode after = PeerNode.startAs(new Member("pod_again", before.self.address()), before.port, tls);
        nodes.add(after);

        double failed = one.connects("failed");
        while (one.connects("failed") < failed + 2) {
            one.send(before.self, 1);
            assertThat(new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(after.inbox).isEmpty();

        one.reach(after);
    }

    @Test
    void aReplicaThatComesBackIsReachedSoon() throws Exception {
        PeerNode one = start();
        ServerTls tls = PeerNode.tls(PeerNode.replica(authority), authority);
        PeerNode before = PeerNode.start(tls);
        one.reach(before);
        before.close();
        while (one.connects("failed") < 4) {
            one.send(before.self, 1);
            assertThat(new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS)).isFalse();
        }
        PeerNode again = PeerNode.startAs(before.self, before.port, tls);
        nodes.add(again);

        long begun = System.nanoTime();
        one.reach(again);

        assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.MILLISECONDS.toNanos(1_500));
    }

    /** All at once would be a coincidence: each side first trusts both authorities, then changes its certificate. */
    @Test
    void anAuthorityIsReplacedUnderTrafficWithoutALostMessage() throws Exception {
        CertificateAuthority next = Certificates.authority();
        CertifiedKey[] old = {PeerNode.replica(authority), PeerNode.replica(authority)};
        CertifiedKey[] fresh = {PeerNode.replica(next), PeerNode.replica(next)};
        PeerNode[] both = {start(PeerNode.tls(old[0], authority)), start(PeerNode.tls(old[1], authority))};
        both[0].reach(both[1]);
        both[1].reach(both[0]);
        double dropped = both[0].messages("dropped");
        long[] sent = new long[1];
        long timer = both[0].vertx.setPeriodic(1, _ -> both[0].send(both[1], ++sent[0]));

        for (int i = 0; i < 2; i++) {
            both[i].renew(PeerNode.tls(old[i], authority, next));
        }
        for (int i = 0; i < 2; i++) {
            both[i].renew(PeerNode.tls(fresh[i], authority, next));
        }
        double opened = both[0].connects("opened");
        for (int i = 0; i < 2; i++) {
            both[i].renew(PeerNode.tls(fresh[i], next));
        }
        eventually("some go over the last connection", () -> both[0].connects("opened") > opened);
        PeerNode.await(both[0].vertx.timer(100, TimeUnit.MILLISECONDS));
        assertThat(both[0].vertx.cancelTimer(timer)).isTrue();

        TreeSet<Long> received = new TreeSet<>();
        while (received.size() < sent[0]) {
            received.add(both[1].receive());
        }
        assertThat(received)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, sent[0]).boxed().toList());
        assertThat(both[0].messages("dropped")).isEqualTo(dropped);
        // Who has only the old certificate is a stranger now.
        PeerNode late = start(PeerNode.tls(old[0], authority, next));
        late.send(both[1], 1);
        eventually("the old certificate is refused", () -> late.connects("failed") > 0);
        PeerNode webhook = start(PeerNode.tls(Certificates.named(next, "gpu-webhook.gpu-webhook.svc"), next));
        webhook.send(both[1], 1);
        eventually("another name is refused", () -> webhook.connects("failed") > 0);
    }

    /** Whose authority is not trusted any more is not heard any more. */
    @Test
    void aConnectionOfBeforeARenewalEnds() throws Exception {
        PeerNode replica = start();
        WebSocket former = replicaByHand(replica);
        CountDownLatch closed = new CountDownLatch(1);
        former.closeHandler(_ -> closed.countDown());
        CertificateAuthority next = Certificates.authority();

        replica.renew(PeerNode.tls(PeerNode.replica(next), next));

        assertThat(closed.await(2 * PeerNode.PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void withoutAnAuthorityTheCertificatesStay() throws Exception {
        PeerNode one = start();
        PeerNode other = start();

        Future<Boolean> changed = Service.PEER_TLS
                .ask(one.vertx, ServerTls.open(PeerNode.replica(authority), TlsEngine.best()))
                .compose(done -> done);

        assertThat(changed.toCompletionStage().toCompletableFuture())
                .failsWithin(PeerNode.PATIENCE_SECONDS, TimeUnit.SECONDS);
        one.reach(other);
    }

    private WebSocket replicaByHand(PeerNode to) throws Exception {
        WebSocketClientOptions options = new PeerTls(PeerNode.tls(PeerNode.replica(authority), authority))
                .client(new WebSocketClientOptions())
                .setVerifyHost(false)
                .setMaxFrameSize(64 * 1024 * 1024);
        WebSocketConnectOptions address = new WebSocketConnectOptions();
        address.setPort(to.port).setHost("127.0.0.1").setURI(PeerLink.pathOf(to.self.identity()));
        return PeerNode.await(client(to, options).connect(address));
    }

    private void isDisconnected(PeerNode replica, WebSocket socket, Buffer message) throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        socket.closeHandler(_ -> closed.countDown());
        socket.exceptionHandler(_ -> {});
        var _ = socket.writeBinaryMessage(message);

        assertThat(closed.await(PeerNode.PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        eventually("it is counted", () -> replica.refused("message") >= 1);
        assertThat(replica.inbox).isEmpty();
        start().reach(replica);
    }

    @Test
    void aFrameThatIsTooLargeEndsItsConnectionAlone() throws Exception {
        PeerNode replica = start();

        isDisconnected(replica, replicaByHand(replica), Buffer.buffer(new byte[2 * PeerEnvelopeCodec.MOST_BYTES]));
    }

    @Test
    void aMessageOfTooManyFramesEndsItsConnectionAlone() throws Exception {
        PeerNode replica = start();
        WebSocket socket = replicaByHand(replica);
        Buffer part = Buffer.buffer(new byte[PeerEnvelopeCodec.MOST_BYTES / 8]);
        var _ = socket.writeFrame(WebSocketFrame.binaryFrame(part.copy(), /* isFinal= */ false));
        for (int frame = 0; frame < 8; frame++) {
            var _ = socket.writeFrame(WebSocketFrame.continuationFrame(part.copy(), /* isFinal= */ false));
        }

        isDisconnected(replica, socket, part);
    }

    @Test
    void garbageEndsItsConnectionAlone() throws Exception {
        PeerNode replica = start();

        isDisconnected(replica, replicaByHand(replica), Buffer.buffer("{\"version\":1}"));
    }

    @Test
    void aConnectionBelongsToOneReplica() throws Exception {
        PeerNode replica = start();
        WebSocket socket = replicaByHand(replica);
        var _ = socket.writeBinaryMessage(join("a"));
        assertThat(replica.inbox.poll(PeerNode.PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isNotNull();

        isDisconnected(replica, socket, join("b"));
    }

    private static Buffer join(String identity) {
        ReplicationEnvelope<ReplicatedDecision> envelope = new ReplicationEnvelope<>(
                1, 1, "cluster", new Member(identity, ""), new ReplicaMessage.JoinRequest<>());
        return Buffer.buffer(PeerEnvelopeCodec.encode(envelope));
    }

    /** What cannot be sent is dropped at once, so it takes no memory however long the other replica stays away. */
    @Test
    void nothingPilesUpForAReplicaThatIsAway() throws Exception {
        PeerNode one = start();
        Member away = new Member("pod_away", "127.0.0.1:1");

        for (int i = 0; i < 5_000; i++) {
            one.send(away, i);
        }

        eventually("it is tried and given up", () -> one.messages("dropped") == 5_000);
        assertThat(one.messages("sent")).isZero();
        assertThat(one.connects("failed")).isPositive();
        assertThat(one.connects("opened")).isZero();
        one.reach(start());
        assertThat(one.connects("opened")).isEqualTo(1);
    }

    /** A replica that accepts and never reads, as a stopped process does. */
    @Test
    void nothingPilesUpForAReplicaThatDoesNotRead() throws Exception {
        PeerNode one = start();
        PeerNode stopped = start();
        one.reach(stopped);
        CountDownLatch wake = new CountDownLatch(1);
        CountDownLatch holds = new CountDownLatch(1);
        ((VertxInternal) stopped.vertx)
                .nettyEventLoopGroup()
                .forEach(loop -> loop.execute(() -> {
                    holds.countDown();
                    boolean _ = awaitQuietly(wake);
                }));
        assertThat(holds.await(PeerNode.PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        RandomMessages messages = new RandomMessages(1);
        List<ReplicatedEntry<ReplicatedDecision>> entries = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            entries.add(messages.entry());
        }
        ReplicaMessage<ReplicatedDecision> batch =
                new ReplicaMessage.EntryBatch<>(1, 0, 1, entries, /* inSync= */ true);
        ReplicationEnvelope<ReplicatedDecision> large = new ReplicationEnvelope<>(1, 1, "cluster", one.self, batch);
        try {
            while (one.messages("dropped") == 0) {
                double handled = one.messages("sent");
                assertThat(handled).isLessThan(1_000);
                Topic.PEER_OUTBOX.publish(one.vertx, new OutboxMessage(stopped.self, large));
                eventually("it is handled", () -> one.messages("sent") + one.messages("dropped") > handled);
            }
        } finally {
            wake.countDown();
        }
    }

    private static boolean awaitQuietly(CountDownLatch latch) {
        try {
            return latch.await(PeerNode.PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
