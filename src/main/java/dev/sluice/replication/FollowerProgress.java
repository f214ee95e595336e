package dev.sluice.replication;

/** Keeps what this replica knows about one other replica while this replica holds the Lease. */
final class FollowerProgress {

    private long sent = EntryLog.NOTHING;
    private long acknowledged = EntryLog.NOTHING;
    private long settled = EntryLog.NOTHING;
    private long heardAt;
    /**
     * The time since which the holder has been waiting for a new acknowledgement. It is the time of the last new
     * acknowledgement. If all entries were acknowledged then, it is the time at which the next entry was sent.
     */
    private long progressAt;

    /** A position that the replica has to acknowledge. The holder has waited for it since {@link #awaitedSince}. */
    private long awaited = EntryLog.NOTHING;

    private long awaitedSince;

    private boolean current = true;
    /** True if the replica has acknowledged that it is in sync. */
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

    /**
     * Marks unacknowledged entries as not sent, because the messages may be lost. The entries are then sent again.
     *
     * @param silence the minimum time without a new acknowledgement, in milliseconds
     */
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
        // The acknowledged position can be higher than {@code sent}. A replica that was removed and has joined again in
        // this term still has the entries that it received before.
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

    /**
     * Restarts the time limits for the replica. The holder calls this method if it may have missed messages of the
     * replica, for example because the process of the holder was paused.
     */
    void excuse(long now) {
        heardAt = now;
        progressAt = now;
        awaitedSince = now;
    }

    boolean isCurrent() {
        return current;
    }

    /**
     * Returns true if the replica's view of the cluster is current, and it has acknowledged all entries up to
     * {@code last}.
     */
    boolean hasCaughtUp(long last) {
        return current && settled > EntryLog.NOTHING && acknowledged >= last;
    }

    /**
     * Returns true if, for each decision up to this position, the replica has the entry or its watch has shown the pod.
     */
    boolean hasSettled(long target) {
        return current && settled >= target;
    }

    /** Resets {@link #knowsIsInSync} until the replica acknowledges again that it is in sync. */
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
     * Returns true if answers wait too long for the replica. This is also true if the replica acknowledges entries all
     * the time, but more slowly than decisions are made.
     */
    boolean isOverdue(ReplicationTimes times, long last, long now) {
        boolean isLate = now - progressAt > times.dropAfter()
                || (acknowledged < awaited && now - awaitedSince > times.dropAfter());
        return isSilent(times, now) || (acknowledged < last && isLate);
    }
}
