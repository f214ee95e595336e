package dev.sluice.webhook.intake;

import java.time.Duration;

/**
 * The phases of a connection. Each has a rank, the time that it may take (zero for no limit), and the cause that is
 * counted if it takes longer.
 */
enum ConnectionPhase {
    /** The TLS handshake. It takes milliseconds, or seconds on a busy machine. Go's client allows 10 s. */
    HANDSHAKE(Rank.USELESS, Duration.ofSeconds(10), AbuseCause.SLOW_HANDSHAKE),
    /** The connection had no request yet. Go's client keeps a connection that it did not need for 90 s. */
    FRESH(Rank.USELESS, Duration.ofSeconds(100), AbuseCause.NO_REQUEST),
    /** The head of a request has begun to arrive. The API server sends it in one piece. */
    HEAD(Rank.USELESS, Duration.ofSeconds(5), AbuseCause.SLOW_HEAD),
    /** The client does not read an answer. */
    UNREAD(Rank.USELESS, Duration.ofSeconds(5), AbuseCause.UNREAD_ANSWER),
    /** The client keeps the connection for its next request. The idle timeout of the server closes it. */
    IDLE(Rank.IDLE, Duration.ZERO, AbuseCause.NO_ROOM),
    /** A body is arriving. {@code ReviewBody} checks its pace. */
    BODY(Rank.BUSY, Duration.ZERO, AbuseCause.NO_ROOM),
    /** The request is complete, and its answer is being made. */
    ANSWERING(Rank.ANSWERING, Duration.ZERO, AbuseCause.NO_ROOM),
    /** The client has sent further requests before it has the answer to the first one. */
    PIPELINING(Rank.ANSWERING, Duration.ZERO, AbuseCause.NO_ROOM);

    /** The order in which connections are closed to make room for a new one. */
    enum Rank {
        USELESS,
        IDLE,
        BUSY,
        /** The work for the answer is under way or done. */
        ANSWERING,
        /** The connection was accepted a moment ago and has no request yet. Only a port with a grace period has it. */
        NEW,
        /**
         * The connection was accepted a moment ago and waits for its answer. Only a port with a grace period has it.
         */
        NEW_ANSWERING,
        /** The connection is never closed for another one. */
        NEVER
    }

    private final Rank rank;
    private final long patienceNanos;
    private final AbuseCause overdueCause;

    ConnectionPhase(Rank rank, Duration patience, AbuseCause overdueCause) {
        this.rank = rank;
        this.patienceNanos = patience.toNanos();
        this.overdueCause = overdueCause;
    }

    Rank rank() {
        return rank;
    }

    boolean isOver(long nanos) {
        return patienceNanos > 0 && nanos > patienceNanos;
    }

    /** Returns the cause to count when a connection is closed because it stays in this phase for too long. */
    AbuseCause overdueCause() {
        return overdueCause;
    }
}
