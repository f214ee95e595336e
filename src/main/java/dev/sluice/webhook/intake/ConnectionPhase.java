package dev.sluice.webhook.intake;

import java.time.Duration;

/**
 * The phases of a connection. Each phase has a rank, a time limit, and the cause that is counted when the limit is
 * exceeded. A time limit of zero means no limit.
 */
enum ConnectionPhase {
    /**
     * The TLS handshake is in progress. It takes milliseconds, or seconds on a busy machine. Go's client allows 10 s.
     */
    HANDSHAKE(Rank.USELESS, Duration.ofSeconds(10), ClientAbuseCause.SLOW_HANDSHAKE),
    /** The connection has not had a request yet. Go's client keeps an unused connection for 90 s. */
    FRESH(Rank.USELESS, Duration.ofSeconds(100), ClientAbuseCause.NO_REQUEST),
    /** The head of a request has begun to arrive. The API server sends a head in one piece. */
    HEAD(Rank.USELESS, Duration.ofSeconds(5), ClientAbuseCause.SLOW_HEAD),
    /** The client does not read an answer. */
    UNREAD(Rank.USELESS, Duration.ofSeconds(5), ClientAbuseCause.UNREAD_ANSWER),
    /** The client keeps the connection for its next request. The idle timeout of the server closes it. */
    IDLE(Rank.IDLE, Duration.ZERO, ClientAbuseCause.NO_ROOM),
    /** A body is arriving. {@code RequestBodyIntake} checks its rate. */
    BODY(Rank.BUSY, Duration.ZERO, ClientAbuseCause.NO_ROOM),
    /** The request is complete, and its answer is being created. */
    ANSWERING(Rank.ANSWERING, Duration.ZERO, ClientAbuseCause.NO_ROOM),
    /** The client has sent further requests before the answer to the first one. */
    PIPELINING(Rank.ANSWERING, Duration.ZERO, ClientAbuseCause.NO_ROOM);

    /**
     * The order in which connections are closed when the limit of connections is reached. The first constant is closed
     * first.
     */
    enum Rank {
        USELESS,
        IDLE,
        BUSY,
        /** At least one complete request waits for its answer. */
        ANSWERING,
        /**
         * The connection is in the grace period of its port. It is in its TLS handshake, has had no request yet, or
         * receives the head of a request.
         */
        NEW,
        /** The connection is in the grace period of its port, and the answer to its request is being created. */
        NEW_ANSWERING,
        /** The connection is never closed in favor of another one. */
        NEVER
    }

    private final Rank rank;
    private final long patienceNanos;
    private final ClientAbuseCause overdueCause;

    ConnectionPhase(Rank rank, Duration patience, ClientAbuseCause overdueCause) {
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

    /**
     * Returns the cause that is counted when a connection is closed because it exceeds the time limit of this phase.
     */
    ClientAbuseCause overdueCause() {
        return overdueCause;
    }
}
