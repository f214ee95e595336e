package dev.sluice.replication;

/** What the holder knows of one other replica in its term. */
final class FollowerProgress {

    private long sent = EntryLog.NOTHING;
    private long acknowledged = EntryLog.NOTHING;
    private long settled = EntryLog.NOTHING;
    private long heardAt;
    /** The time of the last progress, or at which something was first sent after everything was acknowledged. */
    private long progressAt;

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
        sent = position;
    }

    /** What was sent and not acknowledged for a while may be lost, so it is sent again. */
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
        }
    }

    /** The holder itself stood still, so the silence is not the follower's. */
    void excuse(long now) {
        heardAt = now;
        progressAt = now;
    }

    boolean isCurrent() {
        return current;
    }

    /** Returns true if the replica may be waited for without delaying answers. */
    boolean hasCaughtUp(long last) {
        return current && settled > EntryLog.NOTHING && acknowledged >= last;
    }

    /** Returns true if the replica has all that the holder had at this position, or has seen its pod. */
    boolean hasSettled(long target) {
        return current && settled >= target;
    }

    /** What the replica said before is not counted; it has to be told again. */
    void forgetInSync() {
        knowsIsInSync = false;
    }

    boolean knowsIsInSync() {
        return knowsIsInSync;
    }

    boolean isSilent(ReplicationTimes times, long now) {
        return now - heardAt > times.silentAfter();
    }

    boolean isOverdue(ReplicationTimes times, long last, long now) {
        return isSilent(times, now) || (acknowledged < last && now - progressAt > times.dropAfter());
    }
}
