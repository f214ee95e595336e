package dev.sluice.webhook.intake;

import java.time.Duration;

/** The phases of a connection, each with the time that it may take. */
enum ConnectionPhase {
    /** The TLS handshake. It takes milliseconds, or seconds on a busy machine, and Go's client allows 10 s. */
    HANDSHAKE(Rank.USELESS, Duration.ofSeconds(10), AbuseCause.SLOW_HANDSHAKE),
    /** There was no request yet. Go's client keeps a connection that it did not need for 90 s. */
    FRESH(Rank.USELESS, Duration.ofSeconds(100), AbuseCause.NO_REQUEST),
    /** The head of a request has begun. The API server sends it in one piece. */
    HEAD(Rank.USELESS, Duration.ofSeconds(5), AbuseCause.SLOW_HEAD),
    /** The client does not read an answer. */
    UNREAD(Rank.USELESS, Duration.ofSeconds(5), AbuseCause.UNREAD_ANSWER),
    /** The client keeps the connection for its next request. The idle timeout of the server closes it. */
    IDLE(Rank.IDLE, Duration.ZERO, AbuseCause.NO_ROOM),
    /** A body is coming in. {@code ReviewBody} watches its pace. */
    BODY(Rank.BUSY, Duration.ZERO, AbuseCause.NO_ROOM),
    /** The request is complete, and its answer is being made. */
    ANSWERING(Rank.ANSWERING, Duration.ZERO, AbuseCause.NO_ROOM);

    /** The order in which connections are closed to make room for a new one. */
    enum Rank {
        USELESS,
        IDLE,
        BUSY,
        /** The work for the answer is under way or done. */
        ANSWERING,
        /** The connection was accepted a moment ago. Only ports whose limits have a grace period have this rank. */
        NEW,
        /** The connection is never closed for another one. */
        NEVER
    }

    private final Rank rank;
    private final long patienceNanos;
    private final AbuseCause late;

    ConnectionPhase(Rank rank, Duration patience, AbuseCause late) {
        this.rank = rank;
        this.patienceNanos = patience.toNanos();
        this.late = late;
    }

    Rank rank() {
        return rank;
    }

    boolean isOver(long nanos) {
        return patienceNanos > 0 && nanos > patienceNanos;
    }

    /** The cause for which a connection is closed that stays in this phase for too long. */
    AbuseCause late() {
        return late;
    }
}
