package dev.sluice.replication;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Holds the position that this replica has reached in the log of the holder, and the term of the holder whose messages
 * this replica accepts.
 */
final class ReplicationLogPosition {

    /**
     * The interval, in milliseconds, for which only one position is stored: the last position that was reached in it.
     * This limits the number of stored positions.
     */
    private static final long GRAIN = 100;

    /** A position and the time at which it was reached. */
    private record PositionMark(long position, long reachedAt) {}

    /** The highest term that this replica has seen in a message or in the Lease. */
    private long term;

    private @Nullable Member holder;
    private long position = EntryLog.NOTHING;
    private long settled = EntryLog.NOTHING;
    private final Deque<PositionMark> marks = new ArrayDeque<>();
    private boolean inSync;
    private long heardAt;
    private long reachedAt;

    long term() {
        return term;
    }

    long position() {
        return position;
    }

    long settled() {
        return settled;
    }

    /** Returns the time at which the present position was reached. */
    long reachedAt() {
        return reachedAt;
    }

    /**
     * Returns true if a message of a holder has said that this replica is in sync, and nothing has contradicted it
     * since. The Lease alone is no proof, because somebody may have restored an older Lease.
     */
    boolean isInSync() {
        return inSync;
    }

    void inSync(boolean isInSync) {
        inSync = isInSync;
    }

    boolean accepts(long other, Member from) {
        return other > term || (other == term && (holder == null || holder.equals(from)));
    }

    boolean follows(Member member) {
        return member.equals(holder);
    }

    /** From now on, accepts messages of the holder of this term, and refuses messages of lower terms. */
    void follow(long newTerm, @Nullable Member newHolder) {
        if (newTerm > term) {
            term = newTerm;
            holder = newHolder;
            position = EntryLog.NOTHING;
            settled = EntryLog.NOTHING;
            marks.clear();
        } else if (newTerm == term && holder == null) {
            holder = newHolder;
        }
    }

    void heard(long now) {
        heardAt = now;
    }

    long silence(long now) {
        return now - heardAt;
    }

    void reached(long newPosition, long now) {
        position = newPosition;
        reachedAt = now;
        PositionMark newest = marks.peekLast();
        if (newest != null && newest.reachedAt() / GRAIN == now / GRAIN) {
            marks.removeLast();
        }
        marks.addLast(new PositionMark(newPosition, now));
    }

    /** Records that the watch has delivered all pods that the API server stored before this time. */
    void watched(long upTo) {
        while (!marks.isEmpty() && marks.getFirst().reachedAt() <= upTo) {
            settled = marks.removeFirst().position();
        }
    }
}
