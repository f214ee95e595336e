package dev.sluice.peers;

import dev.sluice.bus.OutboxMessage;
import dev.sluice.metrics.parts.PeerMetrics;
import dev.sluice.metrics.parts.PeerMetrics.PeerMessageFate;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicationEnvelope;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** Sends messages to other replicas. There is one connection for each replica to which messages are sent. */
final class PeerLinks {

    /**
     * The maximum number of connections. A Deployment has only a few replicas. Invalid data in the Lease, or unknown
     * processes with a valid certificate, could cause more connections. Above the limit, the connection that was unused
     * for the longest time is closed. The connections to and from the replica that decides stay open, because they are
     * used several times a second.
     */
    private static final int MOST_LINKS = 64;

    /**
     * The time in milliseconds after which the kernel closes a connection if the other replica does not acknowledge the
     * data. After an interruption of the network, such a connection would otherwise be blocked until TCP sends the data
     * again, which may take a minute.
     */
    private static final int UNACKNOWLEDGED_MILLIS = 1_000;

    private static final long CHECK_MILLIS = 5_000;

    private final Vertx vertx;
    private final PeerMetrics metrics;
    private final WebSocketClient client;
    /** The connections by replica. The connection that was unused for the longest time comes first. */
    private final SequencedMap<Member, PeerLink> links = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

    private @Nullable ReplicationEnvelope<ReplicatedDecision> lastEnvelope;
    private byte[] lastJson = {};
    private @Nullable Long timer;

    PeerLinks(Vertx vertx, PeerTls tls, PeerMetrics metrics) {
        this.vertx = vertx;
        this.metrics = metrics;
        WebSocketClientOptions options = tls.client(new WebSocketClientOptions())
                .setVerifyHost(false)
                // The client does not wait for the close message of the other replica, because a suspended replica
                // would never send it.
                .setClosingTimeout(0)
                .setMaxFrameSize(PeerEnvelopeCodec.MOST_BYTES)
                .setMaxMessageSize(PeerEnvelopeCodec.MOST_BYTES);
        options.setConnectTimeout(PeerHttpClient.CONNECT_MILLIS)
                .setTcpNoDelay(true)
                .setTcpUserTimeout(UNACKNOWLEDGED_MILLIS)
                .setSslHandshakeTimeout(1);
        this.client = vertx.createWebSocketClient(options);
    }

    /** Starts the timer that closes connections that are no longer used. */
    void start() {
        timer = vertx.setPeriodic(CHECK_MILLIS, _ -> {
            long now = System.nanoTime();
            links.values().removeIf(link -> link.closeIfUnused(now));
        });
    }

    /** Sends a message. Drops the message if the other replica cannot receive it now. */
    void send(OutboxMessage message) {
        Optional<PeerLink> link = linkTo(message.to());
        byte[] json = encoded(message.envelope());
        if (link.isEmpty()
                || json.length > PeerEnvelopeCodec.MOST_BYTES
                || !link.get().send(json)) {
            metrics.count(PeerMessageFate.DROPPED);
        }
    }

    /**
     * Returns the JSON of a message. If the message equals the last one, it is not encoded again, because the replica
     * that decides sends the same message to all others.
     */
    private byte[] encoded(ReplicationEnvelope<ReplicatedDecision> envelope) {
        if (!envelope.equals(lastEnvelope)) {
            lastEnvelope = envelope;
            lastJson = PeerEnvelopeCodec.encode(envelope);
        }
        return lastJson;
    }

    private Optional<PeerLink> linkTo(Member member) {
        PeerLink known = links.get(member);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<PeerLink> link =
                PeerMemberAddress.of(member.address()).map(address -> new PeerLink(client, member, address, metrics));
        link.ifPresent(created -> links.put(member, created));
        if (links.size() > MOST_LINKS) {
            links.pollFirstEntry().getValue().close();
        }
        return link;
    }

    /** Replaces the certificate, and then every connection. A new connection is open before the old one is closed. */
    Future<?> renew(PeerTls tls) {
        return client.updateSSLOptions(tls.clientRenewal(), /* force= */ true)
                .onSuccess(_ -> List.copyOf(links.values()).forEach(PeerLink::reopen));
    }

    Future<?> close() {
        if (timer != null) {
            var _ = vertx.cancelTimer(timer);
        }
        links.values().forEach(PeerLink::close);
        links.clear();
        return client.close();
    }
}
