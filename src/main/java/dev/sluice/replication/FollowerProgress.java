package dev.sluice.replication;

/** Keeps what this replica knows about one other replica while this replica holds the Lease. */
final class FollowerProgress {

    private long sent = EntryLog.NOTHING;
    private long acknowledged = EntryLog.NOTHING;
    private long settled = EntryLog.NOTHING;
    private long heardAt;
    /**
     * The time of the last progress: when the replica last acknowledged new entries, or when the holder sent entries
     * while none were unacknowledged.
     */
    private long progressAt;

    /** A position that the replica has to acknowledge soon, and the time since which the holder waits for that. */
    private long awaited = EntryLog.NOTHING;

    private long awaitedSince;

    private boolean current = true;
    /** True if the replica knows that it is in sync. */
    private boolean knowsIsInSync;

    private int speaks;

    FollowerProgress(int speaks, long now) {
        this.speaks = speaks;
        this.heardAt = now;
        this.progressAt = now;
    }

    int speaks() {
        return speaks;
    }

    void speaks(int version) {
        speaks = version;
    }

    long sent() {
        return sent;
    }

    long acknowledged() {
        return acknowledged;
    }

    void sentUpTo(long position, long now) {
        if (acknowledged >= sent) {
            progressAt = now;
        }
        if (acknowledged >= awaited) {
            awaited = position;
            awaitedSince = now;
        }
        sent = position;
    }

    /** Sends unacknowledged entries again if there was no progress for this long, because the messages may be lost. */
    void resendAfter(long silence, long now) {
        if (sent > acknowledged && now - progressAt >= silence) {
            sent = acknowledged;
        }
    }

    void heard(ReplicaMessage.Acknowledgement<?> ack, long last, long now) {
        heardAt = now;
        current = ack.current();
        knowsIsInSync = ack.inSync();
        settled = Math.max(settled, ack.settled());
        // A replica that left and joined again in this term may be ahead of what was sent to it.
        long position = Math.min(ack.upTo(), last);
        if (position > acknowledged) {
            acknowledged = position;
            progressAt = now;
            sent = Math.max(sent, position);
            if (acknowledged >= awaited) {
                awaited = sent;
                awaitedSince = now;
            }
        }
    }

    /** Restarts the time limits, because the holder was paused itself and could not have received anything. */
    void excuse(long now) {
        heardAt = now;
        progressAt = now;
        awaitedSince = now;
    }

    boolean isCurrent() {
        return current;
    }

    /** Returns true if the replica is so far along that waiting for its acknowledgements does not delay answers. */
    boolean hasCaughtUp(long last) {
        return current && settled > EntryLog.NOTHING && acknowledged >= last;
    }

    /**
     * Returns true if, for each entry up to this position, the replica has the entry or has seen the pod of the entry.
     */
    boolean hasSettled(long target) {
        return current && settled >= target;
    }

    /** Forgets that the replica knows that it is in sync. The holder has to tell it again. */
    void forgetInSync() {
        knowsIsInSync = false;
    }

    boolean knowsIsInSync() {
        return knowsIsInSync;
    }

    boolean isSilent(ReplicationTimes times, long now) {
        return now - heardAt > times.silentAfter();
    }

    /**
     * Returns true if the replica delays answers for too long. A replica that acknowledges something all the time, but
     * more slowly than decisions are made, is overdue, too.
     */
    boolean isOverdue(ReplicationTimes times, long last, long now) {
        boolean isLate = now - progressAt > times.dropAfter()
                || (acknowledged < awaited && now - awaitedSince > times.dropAfter());
        return isSilent(times, now) || (acknowledged < last && isLate);
    }
}
