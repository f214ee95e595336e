package dev.sluice.replication;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What this replica knows of the Lease, and its request that is under way: at most one.
 *
 * <p>A write without an answer may still be carried out, as long as the Lease has the version that the write names. So
 * it counts until another version was read.
 */
final class LeaseView {

    /** Why the Lease is written or read. */
    enum Purpose {
        READ,
        /** To become the holder. */
        TAKE,
        /** To renew the lease, and to change the in-sync set. */
        KEEP,
        /** To make another replica the holder. */
        LEAVE
    }

    /** @param content what is written; null if the Lease is read */
    record LeaseRequest(
            long number, Purpose purpose, @Nullable InSyncRecord content, long sentAt) {}

    private @Nullable StoredRecord known;
    private boolean observed;
    private long unchangedSince;
    private final List<InSyncRecord> uncertain = new ArrayList<>();
    private @Nullable LeaseRequest underWay;
    private long numbers;

    Optional<StoredRecord> known() {
        return Optional.ofNullable(known);
    }

    Optional<InSyncRecord> content() {
        return known().map(StoredRecord::content);
    }

    /** Returns true if nobody has edited the record. */
    boolean isIntact() {
        return known != null && known.intact();
    }

    /** Returns true if there ever was a Lease. */
    boolean wasObserved() {
        return observed;
    }

    /** Returns when this content was first seen here. */
    long unchangedSince() {
        return unchangedSince;
    }

    boolean isIdle() {
        return underWay == null;
    }

    /** Returns true if a write is under way. */
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

    /** Returns the request under way if it has this number, and ends it. */
    Optional<LeaseRequest> end(long number) {
        LeaseRequest request = underWay;
        if (request == null || request.number() != number) {
            return Optional.empty();
        }
        underWay = null;
        return Optional.of(request);
    }

    /** Gives the request up if it takes too long. Returns true if it did. */
    boolean giveUpAfter(long timeout, long now) {
        if (underWay == null || now - underWay.sentAt() < timeout) {
            return false;
        }
        underWay = null;
        return true;
    }

    /** A write that the API server refused is not carried out any more. */
    void refused(LeaseRequest request) {
        InSyncRecord content = request.content();
        if (content != null) {
            uncertain.remove(content);
        }
    }

    void learn(@Nullable StoredRecord read, long now) {
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

    /** Adds the members of every record that may be in force. */
    void addMembers(Collection<Member> to) {
        content().ifPresent(content -> to.addAll(content.inSync()));
        uncertain.forEach(content -> to.addAll(content.inSync()));
    }
}
