package dev.sluice.connection;

import java.time.Duration;

/** What a connection is doing, and how long it may. */
enum ConnectionPhase {
    /**
     * TLS is being agreed upon. That takes milliseconds, and seconds on a machine that is very busy; Go's client gives
     * it 10.
     */
    HANDSHAKE(Rank.USELESS, Duration.ofSeconds(10), AbuseCause.SLOW_HANDSHAKE),
    /**
     * Nothing was asked yet. Go's client keeps a connection that it opened and did not need for 90 s, so this is more;
     * where there is no room, such connections are the first to give way.
     */
    FRESH(Rank.USELESS, Duration.ofSeconds(100), AbuseCause.NO_REQUEST),
    /** A head has begun. The API server sends it in one piece. */
    HEAD(Rank.USELESS, Duration.ofSeconds(5), AbuseCause.SLOW_HEAD),
    /** An answer was given that the client does not take. */
    UNREAD(Rank.USELESS, Duration.ofSeconds(5), AbuseCause.UNREAD_ANSWER),
    /** Served before, and kept by the client for its next request. The idle timeout of the server ends it. */
    IDLE(Rank.IDLE, Duration.ZERO, AbuseCause.NO_ROOM),
    /** A body is coming in. Whoever collects it sees to its pace. */
    BODY(Rank.BUSY, Duration.ZERO, AbuseCause.NO_ROOM),
    /** The request is whole, and its answer is being made. */
    ANSWERING(Rank.ANSWERING, Duration.ZERO, AbuseCause.NO_ROOM);

    /**
     * Where there is no room for a newcomer, a connection of the first rank that occurs gives way, and of several the
     * one that has been in its phase for the longest time. Within a rank only the age counts: a good client is done
     * with a handshake and a head within milliseconds.
     */
    enum Rank {
        USELESS,
        IDLE,
        BUSY,
        /** These never give way: the work is done already. */
        ANSWERING
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

    /** Why a connection ends that stays in this phase for too long. */
    AbuseCause late() {
        return late;
    }
}
