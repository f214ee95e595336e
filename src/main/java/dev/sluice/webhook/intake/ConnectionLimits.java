package dev.sluice.webhook.intake;

import java.time.Duration;

/**
 * The maximum numbers of connections of one port.
 *
 * @param connections the maximum number of connections in total
 * @param served the maximum number of connections that are not protected
 * @param handshakes the maximum number of connections in their TLS handshake
 * @param unread the maximum number of connections whose client does not read an answer
 * @param perPeer the maximum number of connections from one address. At most {@code served * perPeer / connections} of
 *     them may be unprotected
 * @param grace the time for which a new connection is protected. A protected connection is closed for a new one only if
 *     all connections are protected. Zero means no protection. A connection whose answer is being created is then never
 *     closed for a new one
 */
public record ConnectionLimits(int connections, int served, int handshakes, int unread, int perPeer, Duration grace) {

    /**
     * The limits of the webhook port. By default, an API server sends at most 200 mutating requests at once, so five
     * API servers send at most 1,000. All connections together take 16 MiB while they are idle. The handshakes of 512
     * connections take one processor core about 150 ms. An unread answer takes up to 64 KiB, so 128 unread answers take
     * 8 MiB of the 64 MiB of direct memory that the launcher allows.
     */
    public static final ConnectionLimits WEBHOOK = new ConnectionLimits(1_024, 1_024, 512, 128, 1_024, Duration.ZERO);

    /**
     * The limits of the port for other replicas. A replica opens at most 64 connections for reviews and one for
     * messages, so the limit is enough for seven other replicas under full load. Clients without the certificate of a
     * replica cannot complete a handshake, so they take at most 64 connections.
     */
    public static final ConnectionLimits PEERS = new ConnectionLimits(512, 512, 64, 64, 512, Duration.ZERO);

    /**
     * The limits of the management port. Probes and scrapes need few connections, and answers about a large cluster
     * take several megabytes. Each new connection is protected for one second, because the kubelet opens a connection
     * for each probe and by default waits one second for the answer. The protection ends when the connection requests
     * something other than a probe. Protected connections cost little, so many more of them are allowed. One client
     * gets at most half of the connections.
     */
    public static final ConnectionLimits MANAGEMENT = new ConnectionLimits(256, 64, 64, 8, 128, Duration.ofSeconds(1));

    int servedPerPeer() {
        return served * perPeer / connections;
    }
}
