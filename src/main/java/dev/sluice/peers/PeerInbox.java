package dev.sluice.peers;

import dev.sluice.bus.Topic;
import dev.sluice.log.TokenBucket;
import dev.sluice.metrics.parts.PeerMetrics;
import dev.sluice.metrics.parts.PeerMetrics.PeerMessageFate;
import dev.sluice.metrics.parts.PeerMetrics.PeerRefusal;
import dev.sluice.peers.PeerEnvelopeCodec.UnusableMessageException;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicationEnvelope;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts the connections on which other replicas send messages to this one. */
final class PeerInbox {

    private static final Logger LOG = LoggerFactory.getLogger(PeerInbox.class);

    /**
     * The status code (RFC 6455) for closing a connection after a message with invalid content. A connection that is no
     * longer needed is closed with {@link #GOING_AWAY}.
     */
    private static final short INVALID = 1007;

    private static final short GOING_AWAY = 1001;

    private static final long OLD_CONNECTIONS_MILLIS = 5_000;

    /**
     * The maximum size in bytes of a message that is kept for the comparison with the next message. A message without
     * decisions has about 300 bytes.
     */
    private static final int MOST_KEPT_BYTES = 1_024;

    private static final double ONCE_A_MINUTE = 1 / 60.0;

    private final Vertx vertx;
    private final PeerMetrics metrics;
    private final Set<ServerWebSocket> sockets = new HashSet<>();
    private final TokenBucket lines = new TokenBucket(ONCE_A_MINUTE, 1, Instant.now());

    PeerInbox(Vertx vertx, PeerMetrics metrics) {
        this.vertx = vertx;
        this.metrics = metrics;
    }

    void accept(ServerWebSocket socket) {
        sockets.add(socket);
        PeerStream stream = new PeerStream(socket);
        socket.closeHandler(_ -> sockets.remove(socket));
        // An exception is reported if a frame is too large, for example. Vert.x then closes the connection.
        socket.exceptionHandler(_ -> metrics.refuse(PeerRefusal.MESSAGE));
        socket.binaryMessageHandler(stream::receive);
        socket.textMessageHandler(_ -> stream.refuse("sent a text instead of a message"));
    }

    /**
     * Closes all present connections after {@link #OLD_CONNECTIONS_MILLIS}, because the certificates have changed. By
     * then, the other replicas have usually read the new certificates, too, and have opened new connections.
     */
    void replaceConnections() {
        List<ServerWebSocket> old = List.copyOf(sockets);
        vertx.setTimer(OLD_CONNECTIONS_MILLIS, _ -> old.forEach(socket -> socket.close(GOING_AWAY)));
    }

    /** Receives the messages on one connection. */
    private final class PeerStream {

        private final ServerWebSocket socket;
        /** The process that sends on this connection. It is null before the first message. */
        private @Nullable Member sender;

        private boolean refused;
        /**
         * The bytes of the last message. While no decisions are made, a replica sends the same message again and again,
         * so an equal message is not decoded again.
         */
        private byte[] lastBytes = {};

        private @Nullable ReplicationEnvelope<ReplicatedDecision> last;

        PeerStream(ServerWebSocket socket) {
            this.socket = socket;
        }

        void receive(Buffer message) {
            if (refused) {
                return;
            }
            try {
                ReplicationEnvelope<ReplicatedDecision> envelope = decoded(message.getBytes());
                if (sender == null) {
                    sender = envelope.from();
                }
                if (sender.equals(envelope.from())) {
                    metrics.count(PeerMessageFate.RECEIVED);
                    Topic.PEER_INBOX.publish(vertx, envelope);
                } else {
                    refuse("sent messages of two replicas on one connection");
                }
            } catch (UnusableMessageException unusable) {
                refuse(String.valueOf(unusable.getMessage()));
            }
        }

        private ReplicationEnvelope<ReplicatedDecision> decoded(byte[] bytes) throws UnusableMessageException {
            ReplicationEnvelope<ReplicatedDecision> known = last;
            if (known != null && Arrays.equals(bytes, lastBytes)) {
                return known;
            }
            ReplicationEnvelope<ReplicatedDecision> envelope = PeerEnvelopeCodec.decode(bytes);
            boolean isSmall = bytes.length <= MOST_KEPT_BYTES;
            lastBytes = isSmall ? bytes : new byte[0];
            last = isSmall ? envelope : null;
            return envelope;
        }

        void refuse(String why) {
            refused = true;
            metrics.refuse(PeerRefusal.MESSAGE);
            if (lines.takeIfAny(Instant.now())) {
                LOG.atWarn()
                        .addKeyValue("replica", sender == null ? "unknown" : sender.identity())
                        .addKeyValue("address", socket.remoteAddress())
                        .log("the connection of another replica is closed, because it {}", why);
            }
            var _ = socket.close(INVALID);
        }
    }
}
