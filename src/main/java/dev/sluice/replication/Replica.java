package dev.sluice.replication;

import dev.sluice.replication.EntryLog.LogPart;
import dev.sluice.replication.ReplicationLeaseView.LeaseRequest;
import dev.sluice.replication.ReplicationLeaseView.Purpose;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of one replica in the replication protocol. Methods take the time of a monotonic clock in
 * milliseconds, and return the actions that the owner has to carry out. The same calls always return the same actions.
 */
public final class Replica<C> {

    /** The highest version of the protocol that this program implements. */
    public static final int VERSION = 1;

    /**
     * The version in which messages are written while it is not known which versions the receiver supports. Every later
     * version of the protocol has to understand these messages.
     */
    private static final int LOWEST_VERSION = 1;

    /** The maximum number of entries in a message. At 300 bytes for each entry, a message stays below 128 KiB. */
    private static final int MOST_ENTRIES = 256;

    /**
     * The maximum size of all entries in a message, in bytes. A single larger entry is sent alone. The limit
     * {@link #MOST_ENTRIES} is not enough, because the author of a pod can make its entry two hundred times as large as
     * usual.
     */
    private static final long MOST_WEIGHT = 128 * 1024;

    /**
     * The maximum number of unacknowledged entries of a follower, as a multiple of {@link #MOST_ENTRIES}. A follower
     * that has reached the maximum gets further entries only with heartbeats.
     */
    private static final int MOST_UNDER_WAY = 8;

    /**
     * The highest term that is accepted in a message. Later takeovers need higher terms, which must fit into
     * {@code leaseTransitions} of the Lease, a field of 32 bits.
     */
    private static final long HIGHEST_TERM = 1L << 30;

    private final Member self;
    private final String cluster;
    private final ReplicationTimes times;
    private final ToLongFunction<C> weight;
    /** The highest version of the protocol that this replica understands. */
    private final int speaks;

    private final EntryLog<C> log = new EntryLog<>();
    private final ReplicationLeaseView lease = new ReplicationLeaseView();
    private final ReplicationLogPosition stream = new ReplicationLogPosition();
    private @Nullable ReplicationLeadership leadership;
    /** The holder according to the last message or the last read of the Lease; null if the holder is not known. */
    private @Nullable Member holder;

    /** The stamps (identifiers) of those entries of former holders that the current holder has not sent yet. */
    private Set<String> unconfirmed = Set.of();
    /** The time at which this replica first had all entries of the current holder. */
    private long completeAt = Long.MAX_VALUE;

    private List<ReplicationOutput<C>> outputs = new ArrayList<>();
    private long now;
    private long tickedAt;
    /** The time of the next read of the Lease. */
    private long readAt = Long.MIN_VALUE;

    private long readSentAt;
    /** True if the Lease may have changed since the pending read was sent, so that it has to be read again. */
    private boolean readAgain;

    private long renewAt;
    /** The time at which this replica last sent a message to all followers. */
    private long heartbeatAt;

    private long joinAt;
    /** The highest term that this replica has led. A replica never leads the same term twice. */
    private long ledTerm;
    /**
     * The term in the last write by which this replica took, or tried to take, the lease; −1 if there was no such
     * write.
     */
    private long takenTerm = -1;
    /**
     * The term of the next holder, which the present holder has announced in a {@link ReplicaMessage.HandoverNotice};
     * −1 if it has announced none.
     */
    private long announcedTerm = -1;
    /**
     * This replica does not decide until its watch has delivered everything up to this time. The watch has then shown
     * all pods that former holders admitted.
     */
    private long waitUntil = Long.MIN_VALUE;
    /**
     * True if this replica is creating the Lease and has never seen one before. This replica may then be the first
     * holder.
     */
    private boolean mayBeFirst;

    private long watchedUpTo = Long.MIN_VALUE;
    private boolean current;
    /**
     * The number of join requests of other replicas that were refused, because this replica has no room for more
     * followers.
     */
    private long refusedJoins;

    /** The acknowledgement that was sent last, at the time {@link #acknowledgedAt}. */
    private ReplicaMessage.@Nullable Acknowledgement<C> acknowledgement;

    private long acknowledgedAt;

    private boolean leaving;
    /** This replica is leaving, and does not hand the lease over before this time. */
    private long handOverAt;
    /** True if reviews no longer arrive at this replica, because its process ends. */
    private boolean ended;

    private long endBy;
    /** True if this replica does not decide now, because it is handing the lease over. */
    private boolean closing;

    /** Creates a replica that does not limit the size of messages, because its entries are small. */
    public Replica(Member self, String cluster, ReplicationTimes times) {
        this(self, cluster, times, _ -> 0);
    }

    /**
     * Creates a replica.
     *
     * @param cluster identifies the cluster; messages of replicas of another cluster are ignored
     * @param weight returns about how many bytes a change takes in a message
     */
    public Replica(Member self, String cluster, ReplicationTimes times, ToLongFunction<C> weight) {
        this(self, cluster, times, weight, VERSION);
    }

    /**
     * Creates a replica that behaves like another release of this program.
     *
     * @param speaks the highest version of the protocol that the other release implements
     */
    Replica(Member self, String cluster, ReplicationTimes times, ToLongFunction<C> weight, int speaks) {
        this.self = self;
        this.cluster = cluster;
        this.times = times;
        this.weight = weight;
        this.speaks = speaks;
    }

    /** Returns true if this replica may decide now. */
    public boolean mayDecide(long moment) {
        ReplicationLeadership leading = leadership;
        return leading != null
                && moment < leading.validUntil()
                && !closing
                && unconfirmed.isEmpty()
                && !waitsForFormerHolder();
    }

    /**
     * Returns true if this replica still has to wait before it decides, because its watch may not have shown all pods
     * that former holders admitted.
     */
    public boolean waitsForFormerHolder() {
        return watchedUpTo < waitUntil;
    }

    public Member self() {
        return self;
    }

    public boolean isLeading() {
        return leadership != null;
    }

    public long term() {
        return leadership == null ? stream.term() : leadership.term();
    }

    /**
     * Returns the replica that holds the Lease, as far as this replica knows. Reviews are forwarded to it. Returns
     * empty if the holder is not known.
     */
    public Optional<Member> holder() {
        return leadership == null ? Optional.ofNullable(holder) : Optional.of(self);
    }

    /** Returns the in-sync set (the replicas with all decisions) of the record that was read or written last. */
    public SortedSet<Member> inSync() {
        return lease.content().map(InSyncRecord::inSync).orElseGet(TreeSet::new);
    }

    /**
     * Returns the time before which this holder may send answers. Returns {@link Long#MIN_VALUE} if this replica is not
     * the holder.
     */
    public long validUntil() {
        return leadership == null ? Long.MIN_VALUE : leadership.validUntil();
    }

    /**
     * Returns the time until which pods of former holders may still appear. {@link #waitsForFormerHolder} is true until
     * the watch has delivered everything up to this time.
     */
    public long waitsUntil() {
        return waitUntil;
    }

    /**
     * Returns the interval in milliseconds at which the owner must call {@link #tick}. Returns 0 if the usual few calls
     * a second are enough, because the replica is alone, or is in sync and receives messages of the holder. The owner
     * must ask again after each change of the holder.
     */
    public long pace(long moment) {
        ReplicationLeadership leading = leadership;
        long busy = times.heartbeat() / 2;
        if (leading != null) {
            return leading.followers().isEmpty() ? 0 : leading.isAtRest() && !leaving ? times.restingHeartbeat() : busy;
        }
        boolean isSettled = isMember() && stream.isInSync() && stream.silence(moment) < 2 * times.restingHeartbeat();
        return holder == null ? busy : isSettled ? 0 : times.heartbeat();
    }

    /**
     * Returns how many positions in the log each follower has not acknowledged yet. Returns an empty map if this
     * replica is not the holder.
     */
    public SortedMap<Member, Long> lag() {
        SortedMap<Member, Long> lag = new TreeMap<>();
        if (leadership != null) {
            leadership
                    .followers()
                    .forEach((member, follower) -> lag.put(member, log.last() - Math.max(0, follower.acknowledged())));
        }
        return lag;
    }

    /**
     * Returns the number of join requests of other replicas that were refused, because this replica has no room for
     * more followers.
     */
    public long refusedJoins() {
        return refusedJoins;
    }

    /** Returns the number of entries whose reservations have not ended. */
    public int entries() {
        return log.size();
    }

    /**
     * Returns the entry for the review with this uid. If the decision was made in the present {@link #term}, the caller
     * may repeat its answer. Otherwise the caller has to decide again, because an older decision may be based on the
     * ledger of another replica.
     */
    public Optional<ReplicatedEntry<C>> entryOf(String uid) {
        return log.ofUid(uid);
    }

    /**
     * Adds a decision of this replica. The caller must have checked {@link #mayDecide}. The next call of
     * {@link #endTurn} sends the decision, together with the others that were added since the last call.
     */
    public void decided(String stamp, String uid, C change) {
        ReplicationLeadership leading = leadership;
        if (leading == null) {
            throw new IllegalStateException("only the holder decides");
        }
        var _ = log.put(new ReplicatedEntry<>(leading.term(), stamp, uid, change));
        leading.decided(log.last(), stamp);
    }

    /**
     * Sends the decisions that were added since the last call. The owner calls this method once in each turn of its
     * event loop with new decisions.
     */
    public List<ReplicationOutput<C>> endTurn(long moment) {
        now = moment;
        sendEntries();
        return finished();
    }

    /** Removes the entries whose reservations have ended in this replica's own ledger. */
    public void prune(Predicate<ReplicatedEntry<C>> reserved, long moment) {
        log.prune(reserved, moment, moment - times.longestCreate());
        if (!unconfirmed.isEmpty()) {
            unconfirmed.retainAll(log.stamps());
        }
    }

    /**
     * Records how current the ledger is.
     *
     * @param upTo the watch has delivered all pods that the API server stored before this time
     * @param isCurrent true if this replica's view of the cluster is current enough for decisions
     */
    public List<ReplicationOutput<C>> watched(long upTo, boolean isCurrent, long moment) {
        now = moment;
        watchedUpTo = Math.max(watchedUpTo, upTo);
        if (isCurrent && !current && leadership != null) {
            // While the view of the cluster was not current, this holder sent no heartbeats. The other replicas had
            // nothing to acknowledge and are not late, so their time limits start again.
            leadership.followers().values().forEach(follower -> follower.excuse(now));
            heartbeatAt = now - times.restingHeartbeat();
        }
        current = isCurrent;
        stream.watched(watchedUpTo);
        forgetUnconfirmed();
        return finished();
    }

    /**
     * Prepares this replica for the end of its process. A holder first waits a moment to learn which other replicas are
     * leaving, so that it does not choose one of them as the next holder. The holder decides until another replica can
     * take the lease, and then hands the lease over.
     */
    public List<ReplicationOutput<C>> leave(long moment) {
        now = moment;
        if (!leaving) {
            leaving = true;
            handOverAt = now + times.beforeHandOver();
            if (leadership == null && holder != null && stream.follows(holder)) {
                acknowledge(holder, LOWEST_VERSION, /* always= */ true);
            }
        }
        workOnLease();
        return finished();
    }

    /**
     * Leaves the set of replicas, because reviews no longer arrive at this replica. If no other replica can take the
     * lease, releases it.
     */
    public List<ReplicationOutput<C>> end(long moment) {
        if (!ended) {
            ended = true;
            endBy = moment + times.renewDeadline();
        }
        return leave(moment);
    }

    /**
     * Returns true if the process can end without a delay for other replicas: as far as this replica knows, it does not
     * hold the lease, and no other replica waits for its acknowledgements.
     */
    public boolean hasLeft() {
        return leaving
                && leadership == null
                && !lease.isWritten()
                && !(lease.isIntact() && (isMember() || isHolderByRecord()));
    }

    private boolean isHolderByRecord() {
        return lease.content().map(content -> self.equals(content.holder())).orElse(false);
    }

    /**
     * Records that {@code named} has refused a forwarded review, because it is not the holder. If this replica takes
     * {@code named} for the holder, it reads the Lease to learn the new holder. A replica that has left the set
     * receives no message about the new holder.
     */
    public List<ReplicationOutput<C>> refusedBy(Member named, long moment) {
        now = moment;
        if (leadership == null && named.equals(holder)) {
            // While the holder is unknown, reviews wait, so that they are not forwarded to the same replica again.
            holder = null;
            readAt = Math.min(readAt, readSentAt + times.heartbeat() / 2);
            workOnLease();
        }
        return finished();
    }

    public List<ReplicationOutput<C>> tick(long moment) {
        now = moment;
        excusePause();
        if (lease.giveUpLate(times, now)) {
            lease.unanswered();
            readAt = now;
        }
        ReplicationLeadership leading = leadership;
        if (leading == null) {
            askToJoin();
        } else if (isHeartbeatDue(leading)) {
            heartbeatAt = now;
            leading.giveUpSilent(times, log.last(), now);
            leading.followers().values().forEach(follower -> follower.resendAfter(times.heartbeat(), now));
            if (current) {
                heartbeat(leading);
            }
            // While the view of the cluster is not current, no heartbeat is sent. Another member of the in-sync set,
            // whose view is current, can then take over.
        }
        workOnLease();
        return finished();
    }

    /**
     * Returns true if it is time for a message to each follower. The message may come a tenth of the interval too
     * early, because the timer of the owner is not exact.
     */
    private boolean isHeartbeatDue(ReplicationLeadership leading) {
        long interval = leading.isAtRest() ? times.restingHeartbeat() : times.heartbeat();
        return now - heartbeatAt >= interval - interval / 10;
    }

    /**
     * Restarts the time limits for other replicas after a pause of this process, because it could not receive their
     * messages during the pause. A pause is a long interval between two calls of {@link #tick}.
     */
    private void excusePause() {
        if (now - tickedAt > (leadership == null ? 5 : 3) * times.heartbeat()) {
            stream.heard(now);
            if (leadership != null) {
                leadership.followers().values().forEach(follower -> follower.excuse(now));
            }
        }
        tickedAt = now;
    }

    private void askToJoin() {
        if (holder != null && !holder.equals(self) && !leaving && now >= joinAt && !isMember()) {
            joinAt = now + 5 * times.heartbeat();
            send(holder, LOWEST_VERSION, new ReplicaMessage.JoinRequest<>());
        }
    }

    private boolean isMember() {
        return inSync().contains(self);
    }

    public List<ReplicationOutput<C>> receive(ReplicationEnvelope<C> envelope, long moment) {
        now = moment;
        if (envelope.cluster().equals(cluster) && !envelope.from().equals(self)) {
            if (envelope.version() <= speaks) {
                accept(envelope);
            } else {
                send(envelope.from(), speaks, new ReplicaMessage.TermRefusal<>(0));
            }
        }
        return finished();
    }

    private void accept(ReplicationEnvelope<C> envelope) {
        Member from = envelope.from();
        FollowerProgress follower =
                leadership == null ? null : leadership.followers().get(from);
        if (follower != null) {
            follower.speaks(envelope.speaks());
        }
        switch (envelope.message()) {
            case ReplicaMessage.EntryBatch<C> entries -> follow(from, entries, envelope.version());
            case ReplicaMessage.Acknowledgement<C> ack -> acknowledged(from, ack);
            case ReplicaMessage.TermRefusal<C>(long term) -> refused(term);
            case ReplicaMessage.JoinRequest<C> _ -> welcome(from, envelope.speaks());
            case ReplicaMessage.HandoverNotice<C> notice -> {
                if (notice.term() > term()) {
                    announcedTerm = stream.follows(from) ? notice.term() : announcedTerm;
                    // While the holder is unknown, new reviews wait here. The former holder would only refuse them.
                    holder = null;
                    readAt = now;
                    readAgain = !lease.isIdle();
                    workOnLease();
                }
            }
        }
    }

    private void follow(Member from, ReplicaMessage.EntryBatch<C> entries, int version) {
        long term = entries.term();
        boolean leadsSame = leadership != null && leadership.term() >= term;
        if (leadsSame || term > HIGHEST_TERM || !stream.accepts(term, from)) {
            send(from, version, new ReplicaMessage.TermRefusal<>(term()));
            return;
        }
        if (term > stream.term()) {
            readAt = now;
        }
        stepDown();
        follow(term, from);
        holder = from;
        stream.heard(now);
        stream.inSync(entries.inSync());
        if (entries.inSync() && !isMember()) {
            // The holder is about to add this replica to the in-sync set. This replica reads the Lease soon, because it
            // can take over only after it has read that it is a member.
            readAt = Math.min(readAt, Math.max(now + times.heartbeat(), readSentAt + 2 * times.heartbeat()));
        }
        if (entries.after() <= stream.position() && entries.upTo() > stream.position()) {
            entries.entries().forEach(this::apply);
            stream.reached(entries.upTo(), now);
        }
        if (entries.entries().isEmpty() && entries.upTo() == stream.position()) {
            // The holder has no entries after this position, so this replica had all entries when it reached the
            // position.
            completeAt = Math.min(completeAt, stream.reachedAt());
        }
        forgetUnconfirmed();
        acknowledge(from, version, !entries.entries().isEmpty());
    }

    /**
     * From now on, accepts the messages of the holder of this term. {@code named} is null if the holder is not known
     * yet.
     */
    private void follow(long term, @Nullable Member named) {
        if (term > stream.term() && !self.equals(named)) {
            unconfirmed = new HashSet<>(log.stamps());
            completeAt = Long.MAX_VALUE;
        }
        stream.follow(term, named);
    }

    /**
     * Acknowledges a message of the holder. If the acknowledgement has not changed, it is sent only from time to time,
     * to show that this replica is alive.
     */
    private void acknowledge(Member from, int version, boolean always) {
        ReplicaMessage.Acknowledgement<C> ack = new ReplicaMessage.Acknowledgement<>(
                stream.term(), stream.position(), stream.settled(), stream.isInSync(), current && !leaving);
        if (always
                || !isMember()
                || !ack.equals(acknowledgement)
                || now - acknowledgedAt >= times.repeatAcknowledgement()) {
            acknowledgement = ack;
            acknowledgedAt = now;
            send(from, version, ack);
        }
    }

    /**
     * Removes the entries of former holders that the current holder does not have. Such an entry is no longer needed:
     * its answer was not sent, or the holder has seen the pod, or the pod can no longer appear. Before the removal, the
     * watch must have delivered everything up to {@link #completeAt}, so that this replica has seen the same pods as
     * the holder.
     */
    private void forgetUnconfirmed() {
        if (watchedUpTo >= completeAt) {
            unconfirmed.forEach(stamp ->
                    log.remove(stamp).map(ReplicationOutput.ForgetEntry::new).ifPresent(outputs::add));
            unconfirmed = Set.of();
        }
    }

    private void apply(ReplicatedEntry<C> entry) {
        if (!unconfirmed.isEmpty()) {
            unconfirmed.remove(entry.stamp());
        }
        if (entry.term() == stream.term()) {
            // The holder sends the entries of former holders before its own, so this replica now has all of them.
            completeAt = Math.min(completeAt, now);
        }
        if (!log.hasEnded(entry) && !log.contains(entry)) {
            outputs.add(new ReplicationOutput.ApplyEntry<>(entry, log.put(entry)));
        }
    }

    private void acknowledged(Member from, ReplicaMessage.Acknowledgement<C> ack) {
        ReplicationLeadership leading = leadership;
        if (leading == null || leading.term() != ack.term()) {
            return;
        }
        FollowerProgress follower = leading.followers().get(from);
        if (follower != null) {
            follower.heard(ack, log.last(), now);
            sendTo(leading, from, follower, /* evenIfEmpty= */ false);
        }
    }

    private void refused(long term) {
        if (leadership != null && term >= leadership.term() && term <= HIGHEST_TERM) {
            stepDown();
            follow(term, null);
            workOnLease();
        }
    }

    private void welcome(Member from, int understood) {
        ReplicationLeadership leading = leadership;
        if (leading == null || closing || leading.followers().containsKey(from)) {
            return;
        }
        if (!leading.hasRoomFor(from)) {
            refusedJoins++;
        } else {
            FollowerProgress follower = new FollowerProgress(understood, now);
            leading.followers().put(from, follower);
            sendTo(leading, from, follower, /* evenIfEmpty= */ true);
        }
    }

    private void heartbeat(ReplicationLeadership leading) {
        leading.followers().forEach((member, follower) -> sendTo(leading, member, follower, /* evenIfEmpty= */ true));
    }

    private void sendEntries() {
        ReplicationLeadership leading = leadership;
        if (leading != null) {
            leading.followers()
                    .forEach((member, follower) -> sendTo(leading, member, follower, /* evenIfEmpty= */ false));
        }
    }

    private void sendTo(ReplicationLeadership leading, Member member, FollowerProgress follower, boolean evenIfEmpty) {
        boolean empty = evenIfEmpty;
        while (empty || follower.sent() < log.last()) {
            if (!empty && follower.sent() - follower.acknowledged() >= (long) MOST_ENTRIES * MOST_UNDER_WAY) {
                return;
            }
            empty = false;
            LogPart<C> part = log.after(follower.sent(), MOST_ENTRIES, weight, MOST_WEIGHT);
            ReplicaMessage<C> message = new ReplicaMessage.EntryBatch<>(
                    leading.term(), follower.sent(), part.upTo(), part.entries(), leading.isInSync(member));
            follower.sentUpTo(part.upTo(), now);
            send(member, leading.version(speaks), message);
        }
    }

    private void send(Member to, int version, ReplicaMessage<C> message) {
        outputs.add(
                new ReplicationOutput.Send<>(to, new ReplicationEnvelope<>(version, speaks, cluster, self, message)));
    }

    /** Handles the answer to a read of the Lease. The record is empty if there is no Lease. */
    public List<ReplicationOutput<C>> leaseRead(long request, Optional<ReplicationStoredRecord> record, long moment) {
        now = moment;
        if (lease.end(request).isPresent()) {
            learn(record.orElse(null));
            if (leadership == null) {
                readAt = readAgain ? now : now + times.renewEvery();
                readAgain = false;
                claim();
                workOnLease();
            } else {
                readAt = Long.MAX_VALUE;
                workOnLease();
            }
        }
        return finished();
    }

    /**
     * Records that no Lease existed before this replica created one. No other replica can have decided, so this replica
     * need not wait before it decides. The owner calls this method before {@link #leaseWritten}.
     */
    public void startedFirst() {
        if (mayBeFirst) {
            waitUntil = Long.MIN_VALUE;
        }
    }

    /** Handles a successful write of the Lease. {@code version} is its new version. */
    public List<ReplicationOutput<C>> leaseWritten(long request, String version, long moment) {
        now = moment;
        lease.end(request).ifPresent(done -> {
            InSyncRecord content = done.content();
            if (content != null) {
                Set<Member> followers =
                        leadership == null ? Set.of() : leadership.followers().keySet();
                learn(new ReplicationStoredRecord(version, content, /* intact= */ true));
                written(done, content, followers);
            }
        });
        workOnLease();
        return finished();
    }

    /** Handles a write that the API server refused, because the Lease has another version or does not exist. */
    public List<ReplicationOutput<C>> leaseRefused(long request, long moment) {
        now = moment;
        lease.end(request).ifPresent(done -> {
            lease.refused(done);
            readAt = now;
        });
        workOnLease();
        return finished();
    }

    /**
     * Handles a request for the Lease that got no answer. If it was a write, the API server may store it nevertheless.
     */
    public List<ReplicationOutput<C>> leaseFailed(long request, long moment) {
        now = moment;
        if (lease.end(request).isPresent()) {
            lease.unanswered();
            readAt = now + times.heartbeat();
        }
        return finished();
    }

    private void learn(@Nullable ReplicationStoredRecord read) {
        lease.learn(read, now);
        InSyncRecord content = read == null ? null : read.content();
        holder = content == null ? null : content.holder();
        ReplicationLeadership leading = leadership;
        boolean intact = read != null && read.intact();
        if (leading != null
                && (!intact || content == null || !self.equals(content.holder()) || content.term() != leading.term())) {
            stepDown();
        } else if (leading != null) {
            leading.addMembers(speaks, now);
        }
        if (content == null || !intact) {
            stream.inSync(false);
            return;
        }
        if (leadership == null && content.term() >= stream.term()) {
            if (content.term() > stream.term()) {
                stream.heard(now);
            }
            follow(content.term(), content.holder());
        }
        if (!isMember()) {
            // The Lease does not list this replica, so this replica may not be in sync any more. If this replica is
            // still in sync, the next message of the holder says so.
            stream.inSync(false);
        }
        if (isMember() && stream.isInSync() && !self.equals(content.holder())) {
            // A member that is in sync has all decisions of former holders that still matter, so it need not wait
            // before it decides.
            waitUntil = Long.MIN_VALUE;
        }
    }

    private void written(LeaseRequest done, InSyncRecord content, Set<Member> followers) {
        long until = done.sentAt() + times.renewDeadline();
        switch (done.purpose()) {
            case READ -> {}
            case TAKE -> {
                if (stream.accepts(content.term(), self)) {
                    lead(content.term(), until);
                } else {
                    readAt = now;
                }
            }
            case KEEP -> {
                if (leadership != null) {
                    leadership.renewed(until);
                    leadership.added(content.inSync());
                }
            }
            case LEAVE -> {
                if (content.holder() != null) {
                    // All known replicas are told about the hand-over. Otherwise they would forward reviews to this
                    // replica, which no longer decides.
                    Set<Member> told = new TreeSet<>(content.inSync());
                    told.addAll(followers);
                    told.forEach(member ->
                            send(member, LOWEST_VERSION, new ReplicaMessage.HandoverNotice<>(content.term())));
                }
            }
        }
    }

    private void lead(long term, long until) {
        follow(term, self);
        stream.inSync(false);
        if (completeAt == Long.MAX_VALUE) {
            // This replica does not have all entries of the former holder, so it cannot know which of its own entries
            // the former holder has removed. It therefore keeps them all.
            unconfirmed = Set.of();
        }
        ReplicationLeadership leading = new ReplicationLeadership(term, self, lease);
        leading.renewed(until);
        leading.begin(speaks, now);
        leadership = leading;
        ledTerm = term;
        readAt = Long.MAX_VALUE;
        renewAt = now + times.renewEvery();
        heartbeatAt = now;
        heartbeat(leading);
    }

    private void stepDown() {
        ReplicationLeadership leading = leadership;
        if (leading != null) {
            leadership = null;
            leading.abandoned().forEach(stamp -> outputs.add(new ReplicationOutput.AbandonAnswer<>(stamp)));
            stream.heard(now);
            readAt = now;
        }
    }

    /** Sends the next request to the API server, if one is due. */
    private void workOnLease() {
        if (!lease.isIdle()) {
            return;
        }
        ReplicationLeadership leading = leadership;
        if (leading == null) {
            if (now >= (suspectsHolder() ? Math.min(readAt, readSentAt + 2 * times.heartbeat()) : readAt)) {
                read();
            }
        } else if (now >= readAt) {
            read();
        } else if (leaving && (ended || now >= handOverAt)) {
            handOver(leading);
        } else {
            keep(leading);
        }
    }

    /**
     * Returns true if this replica is in sync and no message of the holder has arrived for too long. This replica may
     * then take over.
     */
    private boolean suspectsHolder() {
        return isMember() && stream.isInSync() && stream.silence(now) > times.suspectAfter();
    }

    private void read() {
        readSentAt = now;
        LeaseRequest request = lease.begin(Purpose.READ, null, now);
        outputs.add(new ReplicationOutput.ReadLease<>(request.number()));
    }

    private void write(Purpose purpose, InSyncRecord content) {
        String basis = lease.known().map(ReplicationStoredRecord::version).orElse(null);
        LeaseRequest request = lease.begin(purpose, content, now);
        outputs.add(new ReplicationOutput.WriteLease<>(request.number(), basis, content));
    }

    /** Renews the lease if a renewal is due. Writes the Lease at once if the in-sync set has changed. */
    private void keep(ReplicationLeadership leading) {
        InSyncRecord present = lease.content().orElseThrow();
        if (!waitsForFormerHolder() && !closing) {
            leading.beginToAdd(times, log.last(), now);
        }
        SortedSet<Member> next =
                current ? leading.nextMembers(present.inSync(), times, log.last(), now) : present.inSync();
        if (now >= renewAt || !next.equals(present.inSync())) {
            renewAt = now + times.renewEvery();
            write(Purpose.KEEP, present.keptWith(next));
        }
    }

    /**
     * If another replica can take the lease, stops deciding, and makes that replica the holder as soon as no answer
     * waits for acknowledgements. Otherwise goes on deciding until reviews no longer arrive, and then releases the
     * lease.
     */
    private void handOver(ReplicationLeadership leading) {
        InSyncRecord present = lease.content().orElseThrow();
        List<Member> successors = leading.successors(present.inSync(), log.last());
        boolean patient = !ended || (now < endBy && !leading.followers().isEmpty());
        // If reviews no longer arrive and this replica has stopped deciding, it does not begin again, because it may
        // already have sent a write that releases the lease.
        closing = !successors.isEmpty() || !patient || (ended && closing);
        if (!closing || leading.isWaiting() || (successors.isEmpty() && patient)) {
            keep(leading);
        } else {
            write(Purpose.LEAVE, present.handedOver(self, successors.isEmpty() ? null : successors.getFirst()));
        }
    }

    /** Takes the lease if the record that was just read allows it. */
    private void claim() {
        InSyncRecord content = lease.content().orElse(null);
        if (leaving) {
            leaveUnused(content);
        } else if (current) {
            if (content == null) {
                create();
            } else if (!lease.isIntact()) {
                seize(content);
            } else if (self.equals(content.holder())) {
                confirm(content);
            } else if (isMember() && stream.isInSync()) {
                // The holder stops deciding before its lease expires. An expired lease is therefore taken even if
                // messages of the holder still arrive.
                if (content.holder() == null || suspectsHolder() || lease.hasExpired(times.leaseDuration(), now)) {
                    take(content.takenOverBy(self, nextTerm()));
                }
            } else {
                seize(content);
            }
        }
    }

    /**
     * Gives up a lease that names this replica as the holder, although this replica has never decided under it. Hands
     * the lease over to a replica that is in sync, or releases it if there is none. If a person has edited the record,
     * does nothing, because it is then unknown which replicas are in sync.
     */
    private void leaveUnused(@Nullable InSyncRecord content) {
        if (content != null && lease.isIntact() && self.equals(content.holder())) {
            SortedSet<Member> others = new TreeSet<>(content.inSync());
            others.remove(self);
            write(Purpose.LEAVE, content.handedOver(self, others.isEmpty() ? null : others.getFirst()));
        }
    }

    /**
     * Creates the Lease. An earlier Lease may have been deleted just now, and its holder may still decide. Therefore
     * this replica waits before it decides, unless {@link #startedFirst} is called.
     */
    private void create() {
        mayBeFirst = !lease.wasObserved();
        waitFrom(now + times.leaseDuration());
        take(InSyncRecord.first(self, nextTerm()));
    }

    /**
     * Takes the lease if the record already names this replica as the holder. This happens if another replica has
     * handed the lease over, or if this replica got no answer to its own write.
     */
    private void confirm(InSyncRecord content) {
        boolean fresh = content.term() > ledTerm && stream.accepts(content.term(), self);
        // This replica wrote the record itself. If it has to wait, the wait began with that write.
        boolean ownWrite = fresh && content.term() == takenTerm;
        // A holder hands the lease over only to a replica that has all decisions. Its announcement is therefore enough,
        // even if this replica has read an older record that does not name it as a member.
        boolean announced = fresh && content.term() == announcedTerm;
        long term = fresh ? content.term() : nextTerm();
        if (stream.isInSync() || ownWrite || announced) {
            take(content.takenOverBy(self, term));
        } else {
            // Somebody has restored an older record, so this replica may not have all decisions.
            waitFrom(now + times.leaseDuration());
            take(content.seizedBy(self, term));
        }
    }

    /**
     * Takes a lease that was released or has expired, although this replica is not in sync. It then has to wait before
     * it decides.
     */
    private void seize(InSyncRecord content) {
        boolean released = content.holder() == null && lease.isIntact();
        long over = lease.unchangedSince() + (released ? 0 : times.leaseDuration());
        if (now >= over) {
            waitFrom(over);
            take(content.seizedBy(self, nextTerm()));
        }
    }

    /**
     * Makes this replica wait before it decides.
     *
     * @param formerMayHaveDecidedUntil the time until which a former holder may have decided; this replica has to see
     *     all pods that were admitted by then
     */
    private void waitFrom(long formerMayHaveDecidedUntil) {
        waitUntil = Math.max(waitUntil, formerMayHaveDecidedUntil + times.longestCreate());
    }

    private void take(InSyncRecord content) {
        takenTerm = content.term();
        write(Purpose.TAKE, content);
    }

    private long nextTerm() {
        long recorded = lease.content().map(InSyncRecord::term).orElse(0L);
        return 1 + Math.max(recorded, Math.max(stream.term(), ledTerm));
    }

    /** Releases the answers that may be sent now, and returns the actions for the owner. */
    private List<ReplicationOutput<C>> finished() {
        ReplicationLeadership leading = leadership;
        if (leading != null && now < leading.validUntil() && !waitsForFormerHolder()) {
            leading.acknowledged().forEach(stamp -> outputs.add(new ReplicationOutput.ReleaseAnswer<>(stamp)));
        }
        boolean waitsToRead = readAt != Long.MAX_VALUE && now < readAt;
        if (leading != null && leaving && !waitsToRead) {
            // The hand-over may have waited for an acknowledgement that has just arrived. It goes on at once, because
            // no replica decides in the meantime. After a failed request it waits, so that requests do not follow each
            // other without a pause.
            workOnLease();
        }
        List<ReplicationOutput<C>> all = outputs;
        outputs = new ArrayList<>();
        return all;
    }
}
