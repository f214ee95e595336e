package dev.sluice.webhook.intake;

import java.time.Duration;

/**
 * The maximum number of connections of one port.
 *
 * @param connections the maximum number of connections in all
 * @param handshakes the maximum number of connections in their TLS handshake
 * @param unread the maximum number of connections whose client does not read an answer
 * @param perPeer the maximum number of connections from one address
 * @param grace the time for which a new connection is protected: it is closed for another connection only if all
 *     connections are as new. If it is zero, new connections are not protected, and a connection whose answer is being
 *     made is never closed for another one
 */
public record ConnectionLimits(int connections, int handshakes, int unread, int perPeer, Duration grace) {

    /**
     * The limits of the webhook port. By default, an API server sends at most 200 mutating requests at once, so that
     * five API servers have 1,000 calls under way. An idle connection costs about 16 KiB, and all of them 16 MiB. The
     * handshakes of 512 connections take a core about 150 ms, in which a good client completes its own. An unread
     * answer holds up to 64 KiB of direct memory, so that 128 of them hold 8 of the launcher's 64 MiB.
     */
    public static final ConnectionLimits WEBHOOK = new ConnectionLimits(1_024, 512, 128, 1_024, Duration.ZERO);

    /**
     * The limits of the management port. Probes and scrapes need few connections, and answers about a large cluster
     * take megabytes. The kubelet opens a connection for each probe and by default waits one second for the answer. The
     * grace period of one second lets each probe get a connection, whatever other clients do. One client takes at most
     * half of the connections.
     */
    public static final ConnectionLimits MANAGEMENT = new ConnectionLimits(64, 64, 8, 32, Duration.ofSeconds(1));
}
