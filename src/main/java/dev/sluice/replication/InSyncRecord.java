package dev.sluice.replication;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The content of the Lease, by which replicas agree on the holder and on the in-sync set.
 *
 * @param holder the replica that decides; null if the lease was released
 * @param term a number that increases with each takeover of the lease
 * @param inSync the in-sync set, sorted. Its replicas have every decision whose answer was sent and whose pod may still
 *     appear
 * @param renewal a number that each write increases, so that each write changes the Lease. The API server reports
 *     success for a write that changes nothing, even to two replicas
 */
public record InSyncRecord(@Nullable Member holder, long term, SortedSet<Member> inSync, long renewal) {

    public InSyncRecord {
        inSync = Collections.unmodifiableSortedSet(new TreeSet<>(inSync));
    }

    static InSyncRecord first(Member holder, long term) {
        return new InSyncRecord(holder, term, just(holder), 0);
    }

    private static SortedSet<Member> just(Member one) {
        SortedSet<Member> set = new TreeSet<>();
        set.add(one);
        return set;
    }

    /** Returns the record after a takeover by a member of the in-sync set. The former holder leaves the set. */
    InSyncRecord takenOverBy(Member member, long newTerm) {
        SortedSet<Member> rest = new TreeSet<>(inSync);
        if (holder != null && !holder.equals(member)) {
            rest.remove(holder);
        }
        return new InSyncRecord(member, newTerm, rest, renewal + 1);
    }

    /**
     * Returns the record after a takeover by a replica outside the in-sync set. The new set contains only
     * {@code outsider}.
     */
    InSyncRecord seizedBy(Member outsider, long newTerm) {
        return new InSyncRecord(outsider, newTerm, just(outsider), renewal + 1);
    }

    InSyncRecord keptWith(Collection<Member> members) {
        return new InSyncRecord(holder, term, new TreeSet<>(members), renewal + 1);
    }

    /**
     * Returns the record in which {@code successor} holds the lease, and {@code leaving} is no longer in the in-sync
     * set. If {@code successor} is null, the lease is released.
     */
    InSyncRecord handedOver(Member leaving, @Nullable Member successor) {
        SortedSet<Member> rest = new TreeSet<>(inSync);
        rest.remove(leaving);
        return new InSyncRecord(successor, term + 1, rest, renewal + 1);
    }
}
