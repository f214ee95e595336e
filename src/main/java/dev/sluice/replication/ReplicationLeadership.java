package dev.sluice.replication;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holds the state of one term of this replica as the holder of the Lease: the progress of the other replicas, and the
 * answers that wait for acknowledgements.
 */
final class ReplicationLeadership {

    /**
     * The maximum number of followers. The number is limited because each follower costs memory and messages, and every
     * process with a certificate of a replica may ask to follow.
     */
    static final int MOST_FOLLOWERS = 32;

    /**
     * The maximum length of the in-sync set in the Lease, in characters. A replica may become a follower only if a set
     * with all followers would not exceed this length. Replicas that read the Lease accept at most 16 KiB.
     */
    private static final int LONGEST_SET = 15 * 1024;

    private final long term;
    private final Member self;
    private final ReplicationLeaseView lease;
    private final SortedMap<Member, FollowerProgress> followers = new TreeMap<>();
    /**
     * The replicas that are to be added to the in-sync set (the replicas with all decisions). A replica is added when
     * it has acknowledged the position in the value of the map. This position was the end of the log when the holder
     * began to wait for acknowledgements of the replica.
     */
    private final SortedMap<Member, Long> joining = new TreeMap<>();
    /** The replicas that are in sync. The holder waits for their acknowledgements of every entry. */
    private final SortedSet<Member> inSync = new TreeSet<>();
    /** The stamps (identifiers) of the decisions whose answers wait for acknowledgements, by position in the log. */
    private final NavigableMap<Long, String> waiting = new TreeMap<>();

    private long validUntil;

    ReplicationLeadership(long term, Member self, ReplicationLeaseView lease) {
        this.term = term;
        this.self = self;
        this.lease = lease;
    }

    long term() {
        return term;
    }

    SortedMap<Member, FollowerProgress> followers() {
        return followers;
    }

    /** Returns the time before which this holder may send answers. */
    long validUntil() {
        return validUntil;
    }

    void renewed(long until) {
        validUntil = Math.max(validUntil, until);
    }

    /** Returns the other replicas that must acknowledge an entry before the answer of its decision may be sent. */
    SortedSet<Member> required() {
        SortedSet<Member> required = new TreeSet<>(joining.keySet());
        lease.addMembers(required);
        required.remove(self);
        return required;
    }

    /**
     * Returns true if {@code member} may become a follower without exceeding the maximum number of followers and the
     * maximum size of the Lease.
     */
    boolean hasRoomFor(Member member) {
        int letters = letters(self) + letters(member);
        for (Member follower : followers.keySet()) {
            letters += letters(follower);
        }
        return followers.size() < MOST_FOLLOWERS && letters <= LONGEST_SET;
    }

    private static int letters(Member member) {
        return member.identity().length() + member.address().length() + 2;
    }

    boolean isInSync(Member member) {
        return inSync.contains(member);
    }

    /** Begins the term. The members of the in-sync set in the Lease count as in sync from the start. */
    void begin(int version, long now) {
        inSync.addAll(required());
        addMembers(version, now);
    }

    /**
     * Makes each replica whose acknowledgements are {@link #required} a follower, which receives the entries. All other
     * replicas do not count as in sync any more.
     */
    void addMembers(int version, long now) {
        SortedSet<Member> required = required();
        inSync.retainAll(required);
        required.forEach(member -> followers.computeIfAbsent(member, _ -> new FollowerProgress(version, now)));
    }

    void decided(long position, String stamp) {
        waiting.put(position, stamp);
    }

    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /**
     * Returns true if no answer waits, all followers are in the in-sync set, and each of them has acknowledged
     * something.
     */
    boolean isAtRest() {
        return waiting.isEmpty()
                && joining.isEmpty()
                && inSync.size() == followers.size()
                && followers.values().stream().allMatch(follower -> follower.acknowledged() > EntryLog.NOTHING);
    }

    /** Removes and returns the stamps of the decisions that all {@link #required} replicas have acknowledged. */
    List<String> acknowledged() {
        if (waiting.isEmpty()) {
            return List.of();
        }
        long everywhere = Long.MAX_VALUE;
        for (Member member : required()) {
            FollowerProgress follower = followers.get(member);
            everywhere = Math.min(everywhere, follower == null ? EntryLog.NOTHING : follower.acknowledged());
        }
        Map<Long, String> ready = waiting.headMap(everywhere, true);
        List<String> stamps = List.copyOf(ready.values());
        ready.clear();
        return stamps;
    }

    /** Removes and returns the stamps of the decisions whose answers still wait for acknowledgements. */
    List<String> abandoned() {
        List<String> stamps = List.copyOf(waiting.values());
        waiting.clear();
        return stamps;
    }

    /**
     * Begins to wait for the acknowledgements of the replicas that have all entries. They are added to the in-sync set
     * in the Lease later.
     */
    void beginToAdd(ReplicationTimes times, long last, long now) {
        Set<Member> required = required();
        followers.forEach((member, follower) -> {
            if (!required.contains(member) && !isLate(member, times, last, now) && follower.hasCaughtUp(last)) {
                follower.forgetInSync();
                joining.put(member, last);
            }
        });
    }

    /**
     * Stops waiting for replicas that were to be added to the in-sync set but do not answer in time. Also removes
     * followers outside the set that have sent no message for too long.
     */
    void giveUpSilent(ReplicationTimes times, long last, long now) {
        joining.keySet().removeIf(member -> isLate(member, times, last, now));
        Set<Member> required = required();
        inSync.retainAll(required);
        followers
                .entrySet()
                .removeIf(entry ->
                        !required.contains(entry.getKey()) && entry.getValue().isSilent(times, now));
    }

    /**
     * Returns the in-sync set for the next write of the Lease. Members that answer too late, or whose view of the
     * cluster is too old, are left out. Replicas are added if they have all decisions and have acknowledged that they
     * are in sync.
     */
    SortedSet<Member> nextMembers(SortedSet<Member> present, ReplicationTimes times, long last, long now) {
        SortedSet<Member> next = new TreeSet<>(present);
        next.removeIf(member -> !inSync.contains(member) || isLate(member, times, last, now));
        joining.forEach((member, target) -> {
            FollowerProgress follower = followers.get(member);
            if (follower != null && follower.hasSettled(target)) {
                inSync.add(member);
                if (follower.knowsIsInSync()) {
                    next.add(member);
                }
            }
        });
        next.add(self);
        return next;
    }

    /** Returns true if a member does not answer in time, or its view of the cluster is too old. */
    private boolean isLate(Member member, ReplicationTimes times, long last, long now) {
        FollowerProgress follower = followers.get(member);
        return follower == null || !follower.isCurrent() || follower.isOverdue(times, last, now);
    }

    /** Records that the Lease now lists these replicas as in sync, so they need not be added any more. */
    void added(Set<Member> members) {
        joining.keySet().removeAll(members);
    }

    /** Returns the members that could take over the lease now, because they have acknowledged all entries. */
    List<Member> successors(SortedSet<Member> members, long last) {
        List<Member> able = new ArrayList<>();
        for (Member member : members) {
            FollowerProgress follower = followers.get(member);
            if (follower != null && follower.isCurrent() && follower.acknowledged() >= last) {
                able.add(member);
            }
        }
        return able;
    }

    /** Returns the highest version of the protocol that this replica and all followers understand. */
    int version(int own) {
        return Math.min(
                own,
                followers.values().stream()
                        .mapToInt(FollowerProgress::speaks)
                        .min()
                        .orElse(own));
    }
}
