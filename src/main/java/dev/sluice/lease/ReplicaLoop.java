package dev.sluice.lease;

import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DecideReply;
import dev.sluice.bus.DecideRequest;
import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.bus.OutboxMessage;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.Topic;
import dev.sluice.kube.client.ApiServerClientFailure;
import dev.sluice.lease.ReservingDecisions.DecidedAnswer;
import dev.sluice.lease.SharedLease.LeaseWriteAnswer;
import dev.sluice.log.StackTraceLimit;
import dev.sluice.replication.Member;
import dev.sluice.replication.Replica;
import dev.sluice.replication.ReplicaMessage;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicatedEntry;
import dev.sluice.replication.ReplicationEnvelope;
import dev.sluice.replication.ReplicationOutput;
import dev.sluice.replication.ReplicationStoredRecord;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs this process's {@link Replica}, which implements the replication protocol, on the event loop of the owner of the
 * ledger. It passes the time, messages and results of Lease requests to the replica, and carries out the actions that
 * the replica returns. It also keeps the answers that wait for other replicas.
 */
final class ReplicaLoop {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaLoop.class);

    /** The interval in milliseconds at which {@link #leave} checks whether this replica has left. */
    private static final long LEAVING_MILLIS = 20;

    /**
     * The time in milliseconds for which reviews are still accepted after the holder of the Lease has become unknown.
     * They wait until the holder is known.
     */
    private static final long CHANGE_MILLIS = 3_000;

    /**
     * If the last message of the holder is older than this time in milliseconds, the connection to the holder counts as
     * failed.
     */
    private static final long HEARD_MILLIS = 500;

    /**
     * The time in milliseconds after which an answer of the API server to a request for the Lease is late. The watch
     * may then have stopped, too. Requests are sent every 2 s, so a stopped watch is suspected within 3 s.
     */
    private static final long LATE_MILLIS = 1_000;

    /** The value of {@link #askedAt} while no request for the Lease waits for its answer. */
    private static final long NOT_ASKED = Long.MAX_VALUE;

    /** The maximum number of requests that wait until it is known which replica decides. */
    private static final int MOST_UNDECIDED = 4_096;

    /**
     * The cluster name in the messages of {@link Replica}. The uid of the Lease is appended to it when a message is
     * sent to another process.
     */
    private static final String CLUSTER = "gpu-webhook";

    /** A caller whose request is decided, but who gets the answer only when other replicas have the decision. */
    private record WaitingCaller(DecideRequest request, DecidedAnswer answer, Promise<DecideReply> reply) {}

    /** A request that waits until it is known which replica decides. */
    record UndecidedRequest(DecideRequest request, Promise<DecideReply> reply) {}

    /** The state of the replica. It is published to other verticles whenever it changes. */
    private record ReplicaState(boolean leading, long term, Optional<Member> holder, SortedSet<Member> inSync) {}

    private final LeaseReplicaSettings settings;
    private final Replica<ReplicatedDecision> replica;
    private final ReservingDecisions decisions;
    private final LeaseGuard guard;
    private final InstantSource clock;
    private final Vertx vertx;
    private final Context context;
    /**
     * The callback for a change of the holder, the term or the in-sync set. While requests wait until the holder is
     * known, it is also called at each tick.
     */
    private final Runnable changed;

    private final StackTraceLimit stacks = new StackTraceLimit();
    /**
     * The callers that wait for the answer to a decision, by the stamp that identifies the decision. A decision without
     * callers has an entry, too, until other replicas have acknowledged it.
     */
    private final Map<String, List<WaitingCaller>> waiting = new HashMap<>();

    private final Queue<UndecidedRequest> undecided = new ArrayDeque<>();
    /** The last time, in milliseconds, at which this replica could decide or knew the holder. */
    private long answerableAt = Long.MIN_VALUE / 2;

    /** The time at which the last message of a holder was received, in milliseconds. */
    private long heardAt = Long.MIN_VALUE / 2;

    private boolean joined;

    private boolean leaving;
    private boolean turnDue;
    private long ticker;
    /**
     * The interval, in milliseconds, of the additional calls of {@link #tick} that the protocol needs now. It is 0 if
     * the calls by the owner of the ledger are enough.
     */
    private long pace;

    /** The uid of the Lease, which is the same for all replicas of one cluster; empty if no Lease is known. */
    private String leaseUid = "";

    private String version = "";
    private String problem = "";
    /** The identifier of the last request for the Lease. The request was sent at {@link #askedAt}, in milliseconds. */
    private long asked;

    private long askedAt = NOT_ASKED;
    private ReplicaState told;
    private @Nullable LeaseStateMessage toldLease;
    private @Nullable ReplicationStatusMessage toldStatus;
    /**
     * The time, in milliseconds, until which this replica cannot be in sync, because its ledger failed to apply a
     * decision of the holder.
     */
    private long lacksUntil = Long.MIN_VALUE;

    private @Nullable Member formerHolder;
    /** The last time, in milliseconds, at which another replica showed that it was alive and the holder. */
    private long formerSeenAt;
    /** The latest time at which another replica may have made decisions. */
    private Instant othersUntil = Instant.MIN;
    /** Supplies the end of the Lease that was read last, by the clock of its holder. */
    private Supplier<Instant> formerEnds = () -> Instant.MAX;
    /**
     * The time at which the former holder stopped deciding, by its own clock; {@link Instant#MAX} if unknown. No
     * replica decided between this time and the beginning of this replica's term.
     */
    private Instant formerEnded = Instant.MAX;

    private boolean takeoverUnderWay;
    private long takeovers;
    private Duration lastTakeover = Duration.ZERO;

    ReplicaLoop(
            LeaseReplicaSettings settings,
            Replica<ReplicatedDecision> replica,
            ReservingDecisions decisions,
            LeaseGuard guard,
            InstantSource clock,
            Context context,
            Runnable changed) {
        this.settings = settings;
        this.replica = replica;
        this.decisions = decisions;
        this.guard = guard;
        this.clock = clock;
        this.vertx = context.owner();
        this.context = context;
        this.changed = changed;
        this.told = state();
    }

    static Replica<ReplicatedDecision> replica(LeaseReplicaSettings settings) {
        return new Replica<>(settings.self(), CLUSTER, settings.times(), ReplicatedDecision::weight);
    }

    private long now() {
        return clock.instant().toEpochMilli();
    }

    void start() {
        Topic.PEER_INBOX.subscribe(vertx, this::receive);
        Topic.LEAVING.subscribe(vertx, _ -> beginToLeave());
        Topic.HOLDER_REFUSED.subscribe(vertx, refused -> perform(replica.refusedBy(refused.named(), now())));
        publish();
        tick();
    }

    /**
     * Passes two times to the replica: the current time, and the time up to which the watch has reported all changes of
     * pods. The owner of the ledger calls this method several times a second.
     */
    void tick() {
        decisions.awaitAnswer(isAnswerLate());
        noteCurrency();
        perform(replica.tick(now()));
        setPace();
        if (!undecided.isEmpty()) {
            changed.run();
        }
    }

    /**
     * Tells the replica up to which time the watch has reported all changes of pods, and whether this process could
     * decide.
     */
    private void noteCurrency() {
        Instant syncedUpTo = guard.freshness().pods();
        long now = now();
        perform(replica.watched(
                // The watch is complete up to a time within this millisecond. A message of the holder may have arrived
                // later in the same millisecond, so one millisecond is subtracted.
                syncedUpTo.equals(Instant.MIN) ? Long.MIN_VALUE : syncedUpTo.toEpochMilli() - 1,
                guard.isCurrent() && now >= lacksUntil,
                now));
    }

    /** Sets the timer to the interval that the protocol needs now. */
    private void setPace() {
        long next = settings.hasPeers() ? replica.pace(now()) : 0;
        if (next == pace) {
            return;
        }
        if (pace > 0) {
            var _ = vertx.cancelTimer(ticker);
        }
        pace = next;
        if (next > 0) {
            ticker = vertx.setPeriodic(next, _ -> tick());
        }
    }

    /**
     * Does the work that is due once a second: replies to callers whose deadline is over, and publishes the status if
     * it has changed.
     *
     * @param repeat true to publish the status even if it has not changed
     */
    void sweep(boolean repeat) {
        prune();
        waiting.values()
                .forEach(callers -> callers.removeIf(caller -> {
                    boolean isOver = caller.request().deadline().isOver();
                    if (isOver) {
                        caller.reply()
                                .complete(new DecideReply.NotNow("other replicas did not acknowledge it in time"));
                    }
                    return isOver;
                }));
        LeaseStateMessage lease = leaseState();
        ReplicationStatusMessage status = status();
        if (repeat || !lease.equals(toldLease)) {
            publish(lease);
        }
        if (repeat || !status.equals(toldStatus)) {
            publish(status);
        }
    }

    private void prune() {
        replica.prune(decisions::isAssumed, now());
    }

    private void receive(ReplicationEnvelope<ReplicatedDecision> envelope) {
        if (!leaseUid.isEmpty() && envelope.cluster().equals(cluster())) {
            switch (envelope.message()) {
                case ReplicaMessage.EntryBatch<?> _ -> {
                    formerSeenAt = now();
                    heardAt = now();
                }
                // The new replica receives all decisions that are kept here. Decisions whose pods the watch has shown
                // are removed first, because the new replica has seen these pods itself.
                case ReplicaMessage.JoinRequest<?> _ -> prune();
                default -> {}
            }
            perform(replica.receive(named(envelope, CLUSTER), now()));
        }
    }

    private static ReplicationEnvelope<ReplicatedDecision> named(
            ReplicationEnvelope<ReplicatedDecision> envelope, String cluster) {
        return new ReplicationEnvelope<>(
                envelope.version(), envelope.speaks(), cluster, envelope.from(), envelope.message());
    }

    /**
     * Returns the name by which replicas recognize messages of their own cluster. All replicas of a cluster read the
     * same Lease, and no other Lease has its uid.
     */
    private String cluster() {
        return CLUSTER + "/" + leaseUid;
    }

    // The methods below keep decisions and their callers until other replicas have the decisions.

    /**
     * Adds a decision or the end of a reservation. At the end of this turn of the event loop, everything that was added
     * is sent together. The caller checks that this replica may decide. A replica that is not the holder ignores the
     * end of a reservation, because each replica itself ends reservations whose pods do not appear.
     */
    void reserved(String stamp, String uid, ReplicatedDecision decision) {
        if (decision.isEnd() && !replica.isLeading()) {
            return;
        }
        replica.decided(stamp, uid, decision);
        waiting.put(stamp, new ArrayList<>());
        if (!turnDue) {
            turnDue = true;
            context.runOnContext(_ -> {
                turnDue = false;
                perform(replica.endTurn(now()));
            });
        }
    }

    /**
     * Returns a future for the reply to a request. It completes when every replica of the in-sync set has the decision.
     */
    Future<DecideReply> whenShared(DecideRequest request, DecidedAnswer answer) {
        List<WaitingCaller> callers = waiting.get(answer.stamp());
        if (callers == null) {
            return Future.succeededFuture(new DecideReply.Answered(answer.verdict()));
        }
        Promise<DecideReply> reply = Promise.promise();
        callers.add(new WaitingCaller(request, answer, reply));
        return reply.future();
    }

    /**
     * Returns a reply that names the replica that decides. Returns empty if this is the deciding replica, or if the
     * deciding replica is unknown or cannot be reached.
     */
    Optional<DecideReply> elsewhere() {
        return replica.isLeading() || !settings.hasPeers()
                ? Optional.empty()
                : replica.holder()
                        .filter(holder -> !holder.equals(settings.self())
                                && !holder.address().isEmpty())
                        .map(DecideReply.Elsewhere::new);
    }

    /**
     * Returns true if a message of the holder has arrived recently. Otherwise the connection to the holder has probably
     * failed, and forwarded reviews would not arrive. Always returns true while this replica is leaving, because it
     * then receives no messages, but still forwards its last reviews.
     */
    boolean hearsHolder() {
        return leaving || now() - heardAt < HEARD_MILLIS;
    }

    /**
     * Returns true if this replica has been in the in-sync set at least once, so that it has received the reservations.
     * Until then, a new replica is not ready. Otherwise a rollout could terminate all replicas that have the
     * reservations.
     */
    boolean hasJoined() {
        return joined;
    }

    /** Returns true if the next holder will soon be known, so that requests may wait for it. */
    boolean isChangingHands() {
        return settings.hasPeers() && !replica.waitsForFormerHolder() && now() - answerableAt < CHANGE_MILLIS;
    }

    /** Records that this replica can decide now, or knows the replica that decides. */
    void answerable() {
        answerableAt = now();
    }

    /** Returns the reply to a request that has to wait until it is known which replica decides. */
    Future<DecideReply> whenKnown(DecideRequest request) {
        if (undecided.size() >= MOST_UNDECIDED) {
            return Future.succeededFuture(new DecideReply.NotNow("too many requests wait for another replica"));
        }
        Promise<DecideReply> reply = Promise.promise();
        undecided.add(new UndecidedRequest(request, reply));
        return reply.future();
    }

    /** Removes and returns the requests that wait until it is known which replica decides. */
    List<UndecidedRequest> takeUndecided() {
        List<UndecidedRequest> taken = List.copyOf(undecided);
        undecided.clear();
        return taken;
    }

    private void release(String stamp) {
        List<WaitingCaller> callers = waiting.remove(stamp);
        if (callers != null) {
            callers.forEach(caller -> caller.reply()
                    .complete(new DecideReply.Answered(caller.answer().verdict())));
        }
    }

    /**
     * Replies to the callers of a decision when this replica is no longer the holder. The reply names the new holder.
     * If the new holder is unknown, the callers wait until it is known.
     */
    private void abandon(String stamp) {
        List<WaitingCaller> callers = waiting.remove(stamp);
        if (callers != null) {
            Optional<DecideReply> elsewhere = elsewhere();
            for (WaitingCaller caller : callers) {
                if (elsewhere.isPresent()) {
                    caller.reply().complete(elsewhere.get());
                } else {
                    var _ = whenKnown(caller.request()).onComplete(caller.reply());
                }
            }
        }
    }

    // The methods below carry out the actions that the replica returns.

    private void perform(List<ReplicationOutput<ReplicatedDecision>> outputs) {
        for (ReplicationOutput<ReplicatedDecision> output : outputs) {
            switch (output) {
                case ReplicationOutput.Send<ReplicatedDecision>(
                        Member to,
                        ReplicationEnvelope<ReplicatedDecision> envelope) -> send(to, envelope);
                case ReplicationOutput.ReadLease<ReplicatedDecision>(long request) -> read(request);
                case ReplicationOutput.WriteLease<ReplicatedDecision> write -> write(write);
                case ReplicationOutput.ApplyEntry<ReplicatedDecision> apply -> follow(apply.entry(), apply.replaced());
                case ReplicationOutput.ForgetEntry<ReplicatedDecision>(ReplicatedEntry<ReplicatedDecision> entry) ->
                    decisions.forget(entry);
                case ReplicationOutput.ReleaseAnswer<ReplicatedDecision>(String stamp) -> release(stamp);
                case ReplicationOutput.AbandonAnswer<ReplicatedDecision>(String stamp) -> abandon(stamp);
            }
        }
        noteChange();
    }

    private void send(Member to, ReplicationEnvelope<ReplicatedDecision> envelope) {
        if (settings.hasPeers() && !to.address().isEmpty()) {
            Topic.PEER_OUTBOX.publish(vertx, new OutboxMessage(to, named(envelope, cluster())));
        }
    }

    /**
     * Applies a decision of the holder. If the ledger fails to apply it, this replica leaves the in-sync set until the
     * pod of the decision can no longer appear.
     */
    private void follow(ReplicatedEntry<ReplicatedDecision> entry, List<ReplicatedEntry<ReplicatedDecision>> replaced) {
        try {
            decisions.follow(entry, replaced);
        } catch (RuntimeException | StackOverflowError fault) {
            lacksUntil = now() + settings.times().longestCreate();
            stacks.add(LOG.atError().addKeyValue("stamp", entry.stamp()), fault)
                    .log("a decision of the holder could not be counted; this replica is not in sync");
            // The replica must know at once that it is not in sync, because the Lease may be handed to it before the
            // next tick.
            noteCurrency();
            Topic.RELIST_REQUESTS.publish(vertx, new Topic.RelistRequested());
        }
    }

    /** Records that a request for the Lease was sent. */
    private void ask(long request) {
        asked = request;
        askedAt = now();
    }

    private boolean isAnswerLate() {
        return askedAt != NOT_ASKED && now() - askedAt > LATE_MILLIS;
    }

    /** Records that a request for the Lease has its answer, or that it has failed. */
    private void endAsking(long request) {
        if (request == asked) {
            if (isAnswerLate()) {
                decisions.doubt(Instant.ofEpochMilli(askedAt));
            }
            askedAt = NOT_ASKED;
            decisions.awaitAnswer(/* isLate= */ false);
        }
    }

    private void read(long request) {
        ask(request);
        Future.fromCompletionStage(settings.lease().read(), context)
                .onComplete(
                        found -> {
                            endAsking(request);
                            answered(found.map(ReplicationStoredRecord::version));
                            formerEnds = settings.lease().endsByItsOwnWord();
                            // This replica may become the holder now. Ended reservations are removed first, so that
                            // they do not delay its decisions.
                            prune();
                            perform(replica.leaseRead(request, found, now()));
                        },
                        failure -> failed(request, failure));
    }

    private void write(ReplicationOutput.WriteLease<ReplicatedDecision> write) {
        long request = write.request();
        ask(request);
        Future.fromCompletionStage(settings.lease().write(write.basis(), write.content()), context)
                .onComplete(
                        answer -> {
                            endAsking(request);
                            switch (answer) {
                                case LeaseWriteAnswer.Written(String version, boolean first) -> {
                                    answered(Optional.of(version));
                                    if (first) {
                                        replica.startedFirst();
                                    }
                                    perform(replica.leaseWritten(request, version, now()));
                                }
                                case LeaseWriteAnswer.WriteRefused _ -> perform(replica.leaseRefused(request, now()));
                            }
                        },
                        failure -> failed(request, failure));
    }

    private void answered(Optional<String> newest) {
        String now = newest.orElse("");
        if (!now.equals(version)) {
            version = now;
            leaseUid = newest.map(LeaseFormat::uid).orElse("");
            // A renewal may be old when it is read, so it does not prove that the former holder is still alive.
            // Replicas that exchange messages therefore rely only on messages.
            formerSeenAt = replica.isLeading() || settings.hasPeers() ? formerSeenAt : now();
        }
        problem = "";
    }

    private void failed(long request, Throwable failure) {
        endAsking(request);
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        String now = cause instanceof RuntimeException known ? ApiServerClientFailure.reason(known) : cause.toString();
        if (!now.equals(problem)) {
            problem = now;
            LOG.atWarn().addKeyValue("problem", now).log("the Lease can neither be read nor written");
        }
        decisions.doubt();
        perform(replica.leaseFailed(request, now()));
    }

    // The methods below publish the state of this replica to other verticles.

    private ReplicaState state() {
        return new ReplicaState(replica.isLeading(), replica.term(), replica.holder(), replica.inSync());
    }

    private void noteChange() {
        if (takeoverUnderWay && replica.mayDecide(now())) {
            takeoverUnderWay = false;
            lastTakeover = Duration.ofMillis(Math.max(0, now() - formerSeenAt));
            LOG.atInfo()
                    .addKeyValue("millis", lastTakeover.toMillis())
                    .log("this gateway decides in place of the former holder");
        }
        if (replica.isLeading() == told.leading()
                && replica.term() == told.term()
                && replica.holder().equals(told.holder())
                && replica.inSync().equals(told.inSync())) {
            return;
        }
        ReplicaState before = told;
        told = state();
        joined |= told.inSync().contains(settings.self());
        noteHolder(before);
        publish();
        setPace();
        changed.run();
    }

    private void noteHolder(ReplicaState before) {
        if (told.leading() && !(before.leading() && before.term() == told.term())) {
            beginTerm();
        } else if (!told.leading()) {
            takeoverUnderWay = false;
            if (before.leading() || !told.holder().equals(before.holder())) {
                LOG.atInfo()
                        .addKeyValue(
                                "holder", told.holder().map(Member::identity).orElse(""))
                        .log("this gateway is on standby");
            }
        }
        told.holder().filter(holder -> !holder.equals(settings.self())).ifPresent(other -> {
            if (!other.equals(formerHolder)) {
                formerHolder = other;
                formerSeenAt = now();
            }
        });
    }

    private void beginTerm() {
        decisions.beginTerm();
        formerEnded = replica.waitsForFormerHolder() ? formerEnds.get() : Instant.MAX;
        LOG.atInfo().addKeyValue("term", told.term()).log("this gateway holds the lease");
        if (replica.waitsForFormerHolder()) {
            othersUntil =
                    Instant.ofEpochMilli(replica.waitsUntil() - settings.times().longestCreate());
        } else if (formerHolder != null) {
            // The former holder may not know yet that this replica has taken over. Until then, it may still send
            // answers that reserve nothing.
            othersUntil = clock.instant().plusMillis(settings.times().renewDeadline());
        }
        if (formerHolder != null) {
            formerHolder = null;
            takeovers++;
            takeoverUnderWay = true;
        }
    }

    private void publish() {
        publish(leaseState());
        publish(status());
    }

    private void publish(LeaseStateMessage lease) {
        toldLease = lease;
        Topic.LEASE_STATE.publish(vertx, lease);
    }

    private void publish(ReplicationStatusMessage status) {
        toldStatus = status;
        Topic.REPLICATION.publish(vertx, status);
    }

    private LeaseStateMessage leaseState() {
        if (!replica.isLeading()) {
            return new LeaseStateMessage.Standby(
                    replica.holder().map(Member::identity).orElse(""));
        }
        Instant decidesUntil = Instant.ofEpochMilli(replica.validUntil());
        return new LeaseStateMessage.Leading(
                othersUntil,
                formerEnded,
                decidesUntil,
                decidesUntil.minusMillis(settings.times().renewDeadline()));
    }

    private ReplicationStatusMessage status() {
        return new ReplicationStatusMessage(
                settings.self(),
                replica.holder(),
                replica.term(),
                List.copyOf(replica.inSync()),
                replica.lag(),
                replica.entries(),
                takeovers,
                lastTakeover,
                replica.refusedJoins(),
                problem);
    }

    // The methods below end the work of this replica.

    private void beginToLeave() {
        leaving = true;
        perform(replica.leave(now()));
        setPace();
    }

    /**
     * Leaves the set of replicas. The future succeeds when the other replicas no longer need this one, or at the latest
     * after the time {@code most}.
     */
    Future<Void> leave(Duration most) {
        leaving = true;
        perform(replica.end(now()));
        Promise<Void> left = Promise.promise();
        BusRequestDeadline deadline = BusRequestDeadline.in(most);
        vertx.setPeriodic(LEAVING_MILLIS, timer -> {
            tick();
            if (replica.hasLeft() || deadline.isOver()) {
                var _ = vertx.cancelTimer(timer);
                left.complete();
            }
        });
        return left.future();
    }
}
