package dev.sluice.metrics.parts;

import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.webhook.intake.ClientHandshakeFailure;
import dev.sluice.webhook.intake.Connections;
import io.vertx.core.Vertx;
import java.util.Locale;

/**
 * Counts the messages that this replica exchanges with other replicas, its connections to them, and refused clients.
 */
public record PeerMetrics(MetricFamilies families) implements PartMetrics {

    /** The possible results for a message of the replication protocol. */
    public enum PeerMessageFate {
        SENT,
        RECEIVED,
        /**
         * The message was dropped, because the other replica cannot be reached or reads too slowly. The protocol
         * repeats important messages.
         */
        DROPPED
    }

    /** The kinds of data that are refused when a client sends them after its TLS handshake. */
    public enum PeerRefusal {
        MESSAGE,
        REQUEST
    }

    public PeerMetrics(Connections connections) {
        this(new MetricFamilies());
        families.show(MetricName.CONNECTIONS, connections::count, "port", "peers");
        for (PeerMessageFate fate : PeerMessageFate.values()) {
            add(MetricName.PEER_MESSAGES, "result", word(fate), 0);
        }
        for (ClientHandshakeFailure cause : ClientHandshakeFailure.values()) {
            add(MetricName.PEERS_REFUSED, "cause", cause.word(), 0);
        }
        for (PeerRefusal refusal : PeerRefusal.values()) {
            add(MetricName.PEERS_REFUSED, "cause", word(refusal), 0);
        }
        add(MetricName.PEER_CONNECTS, "result", "opened", 0);
        add(MetricName.PEER_CONNECTS, "result", "failed", 0);
    }

    private void add(MetricName name, String label, String value, long more) {
        families.counter(name, label, value).inc(more);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    public void count(PeerMessageFate fate) {
        add(MetricName.PEER_MESSAGES, "result", word(fate), 1);
    }

    public void connected() {
        add(MetricName.PEER_CONNECTS, "result", "opened", 1);
    }

    public void failedToConnect() {
        add(MetricName.PEER_CONNECTS, "result", "failed", 1);
    }

    public void refuse(ClientHandshakeFailure cause) {
        add(MetricName.PEERS_REFUSED, "cause", cause.word(), 1);
    }

    public void refuse(PeerRefusal refusal) {
        add(MetricName.PEERS_REFUSED, "cause", word(refusal), 1);
    }

    @Override
    public String part() {
        return "peers";
    }

    /** Does nothing, because the verticle for other replicas calls the methods of this class directly. */
    @Override
    public void listen(Vertx vertx) {}
}
