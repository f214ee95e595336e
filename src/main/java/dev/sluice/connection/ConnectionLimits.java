package dev.sluice.connection;

/**
 * How many connections of one port there may be.
 *
 * @param connections all together
 * @param handshakes of them those that still agree upon TLS
 * @param unread of them those whose client does not take an answer
 */
public record ConnectionLimits(int connections, int handshakes, int unread) {

    /**
     * An API server sends at most 200 mutating requests at once by default and keeps 25 idle connections; five API
     * servers together have 1,000 calls under way at most. An idle connection costs about 16 KiB, so all together cost
     * 16 MiB. The handshakes of 512 connections take a core about 150 ms; a good client's is over before so many others
     * have begun. An answer that is not taken holds up to 64 KiB of direct memory, so 128 of them hold 8 of the
     * launcher's 64 MiB.
     */
    public static final ConnectionLimits WEBHOOK = new ConnectionLimits(1_024, 512, 128);

    /** Probes and scrapes come over a few connections; the answers about a large cluster take megabytes. */
    public static final ConnectionLimits MANAGEMENT = new ConnectionLimits(64, 64, 8);
}
