package dev.sluice.replication;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds what this replica knows about the Lease, and its pending request to the API server. There is at most one
 * pending request.
 *
 * <p>A write that got no answer may have been stored, or may still be stored. Therefore its content counts as possibly
 * in force until this replica reads another version of the Lease.
 */
final class ReplicationLeaseView {

    /** The purposes of a request. */
    enum Purpose {
        READ,
        /** A write by which this replica becomes the holder. */
        TAKE,
        /** A write by which the holder renews the lease or changes the in-sync set. */
        KEEP,
        /** A write by which the holder makes another replica the holder, or releases the lease. */
        LEAVE
    }

    /** @param content the record to write; null if the Lease is read */
    record LeaseRequest(
            long number, Purpose purpose, @Nullable InSyncRecord content, long sentAt) {}

    private @Nullable ReplicationStoredRecord known;
    private boolean observed;
    private long unchangedSince;
    /**
     * True if the API server has answered the last request. It has then answered each request since
     * {@link #readableSince}.
     */
    private boolean readable;

    private long readableSince;
    private final List<InSyncRecord> uncertain = new ArrayList<>();
    private @Nullable LeaseRequest underWay;
    private long numbers;

    Optional<ReplicationStoredRecord> known() {
        return Optional.ofNullable(known);
    }

    Optional<InSyncRecord> content() {
        return known().map(ReplicationStoredRecord::content);
    }

    /** Returns true if there is a record in the Lease, and only replicas have written it. */
    boolean isIntact() {
        return known != null && known.intact();
    }

    /** Returns true if this replica has ever read or written a Lease. */
    boolean wasObserved() {
        return observed;
    }

    /** Returns the time at which this replica first read or wrote the present content of the Lease. */
    long unchangedSince() {
        return unchangedSince;
    }

    boolean isIdle() {
        return underWay == null;
    }

    /** Returns true if the pending request is a write. */
    boolean isWritten() {
        return underWay != null && underWay.content() != null;
    }

    LeaseRequest begin(Purpose purpose, @Nullable InSyncRecord content, long now) {
        if (content != null) {
            uncertain.add(content);
        }
        LeaseRequest request = new LeaseRequest(++numbers, purpose, content, now);
        underWay = request;
        return request;
    }

    /**
     * Ends the pending request and returns it. Returns empty if the pending request does not have this sequence number.
     */
    Optional<LeaseRequest> end(long number) {
        LeaseRequest request = underWay;
        if (request == null || request.number() != number) {
            return Optional.empty();
        }
        underWay = null;
        return Optional.of(request);
    }

    /** Gives up the pending request if it has taken too long. Returns true if it was given up. */
    boolean giveUpLate(ReplicationTimes times, long now) {
        long timeout = isWritten() ? times.writeTimeout() : times.readTimeout();
        if (underWay == null || now - underWay.sentAt() < timeout) {
            return false;
        }
        underWay = null;
        return true;
    }

    /** Records that the API server refused the write. The write can therefore not take effect any more. */
    void refused(LeaseRequest request) {
        InSyncRecord content = request.content();
        if (content != null) {
            uncertain.remove(content);
        }
    }

    /** Records that a request got no answer. */
    void unanswered() {
        readable = false;
    }

    /**
     * Returns true if the Lease has not changed for {@code duration} milliseconds, and this replica could read it
     * during all that time. After an outage of the API server, the time starts again, so that the holder has time to
     * renew the Lease.
     */
    boolean hasExpired(long duration, long now) {
        return readable && now - Math.max(unchangedSince, readableSince) >= duration;
    }

    void learn(@Nullable ReplicationStoredRecord read, long now) {
        if (!readable) {
            readable = true;
            readableSince = now;
        }
        String before = known == null ? "" : known.version();
        if (read == null || !read.version().equals(before)) {
            uncertain.clear();
        }
        if (read == null ? known != null : known == null || !read.content().equals(known.content())) {
            unchangedSince = now;
        }
        observed |= read != null;
        known = read;
    }

    /**
     * Adds the members of all records that may be in force. These are the known record, and the records in writes that
     * got no answer.
     */
    void addMembers(Collection<Member> to) {
        content().ifPresent(content -> to.addAll(content.inSync()));
        uncertain.forEach(content -> to.addAll(content.inSync()));
    }
}
