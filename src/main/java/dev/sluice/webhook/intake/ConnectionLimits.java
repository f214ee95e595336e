package dev.sluice.webhook.intake;

import java.time.Duration;

/**
 * The most connections of one port.
 *
 * @param connections limits all connections
 * @param handshakes limits those in their TLS handshake
 * @param unread limits those whose client does not read an answer
 * @param perPeer limits those from one address
 * @param grace how long a new connection is closed for others only if all others are as new. Zero means that the port
 *     has no such time, and that a connection whose answer is being made is never closed for others
 */
public record ConnectionLimits(int connections, int handshakes, int unread, int perPeer, Duration grace) {

    /**
     * An API server sends at most 200 mutating requests at once by default, so that five of them have 1,000 calls under
     * way. An idle connection costs about 16 KiB, and all of them 16 MiB. The handshakes of 512 connections take a core
     * about 150 ms, in which a good client ends its own. An unread answer holds up to 64 KiB of direct memory, so that
     * 128 of them hold 8 of the launcher's 64 MiB.
     */
    public static final ConnectionLimits WEBHOOK = new ConnectionLimits(1_024, 512, 128, 1_024, Duration.ZERO);

    /**
     * Probes and scrapes need few connections, and answers about a large cluster take megabytes. The kubelet opens a
     * connection for each probe and by default waits one second for the answer, so that a probe always finds room,
     * whatever other clients do with the connections that they have. One client takes at most half of them.
     */
    public static final ConnectionLimits MANAGEMENT = new ConnectionLimits(64, 64, 8, 32, Duration.ofSeconds(1));
}
