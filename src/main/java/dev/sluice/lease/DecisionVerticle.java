package dev.sluice.lease;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.ClusterUsageReply;
import dev.sluice.bus.ClusterUsageReply.DevicesReply;
import dev.sluice.bus.DecideReply;
import dev.sluice.bus.DecideRequest;
import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.EventBusLiveness;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.LedgerCopyReply;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage.ObjectKind;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.lease.ReservingDecisions.DecidedAnswer;
import dev.sluice.ledger.Ledger;
import dev.sluice.ledger.LedgerStatistics;
import dev.sluice.log.StackTraceLimit;
import dev.sluice.replication.Replica;
import dev.sluice.replication.ReplicatedDecision;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the ledger, which counts the resources in use, and changes it on one thread only. It applies cluster events in
 * their order, and publishes a snapshot when the nodes have changed. It makes the decisions that reserve resources, one
 * at a time.
 */
public final class DecisionVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(DecisionVerticle.class);

    /**
     * The interval, in milliseconds, at which obsolete reservations are ended, and the {@link DecisionGateMessage} is
     * published if it has changed. This message tells other verticles whether they may ask for decisions. It may be out
     * of date, because each decision checks the Lease itself.
     */
    private static final long GATE_MILLIS = 250;
    /**
     * The interval at which statistics are published, in milliseconds. Metrics are scraped every few seconds, so a
     * shorter interval would not help.
     */
    private static final long STATISTICS_MILLIS = 1_000;
    /**
     * An unchanged state is published again after this number of statistics intervals. During the first intervals, up
     * to this number, it is published in each one, because other verticles start later and would miss it.
     */
    private static final long REPEATED = 20;

    /** The maximum time, in nanoseconds, for which events are applied before waiting decisions are made. */
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /**
     * The number of pods that are applied to the ledger between two checks of the elapsed time. One pod takes up to a
     * millisecond if ten thousand pods with different demands are pending.
     */
    private static final int PODS_BETWEEN_LOOKS = 16;

    /**
     * The maximum time between two readings of the clock. They are usually {@link #GATE_MILLIS} apart. If the time is
     * longer, this process was paused or had too little processor time, or its clock has jumped forward.
     */
    private static final Duration LONGEST_GAP = Duration.ofSeconds(1);

    /** The maximum time for which {@link #stop} waits until the other replicas no longer need this replica. */
    private static final Duration LONGEST_FAREWELL = Duration.ofSeconds(2);

    private final Ledger ledger;
    private final LeaseGuard guard;
    private final ReservingDecisions decisions;
    private final InstantSource clock;
    private final StackTraceLimit stacks = new StackTraceLimit();
    private final boolean reserving;
    /** True if the state of the cluster comes from a watch, which may be late. */
    private final boolean isWatched;

    private final Optional<LeaseReplicaSettings> settings;
    private final Optional<Replica<ReplicatedDecision>> replica;
    private Optional<ReplicaLoop> loop = Optional.empty();
    private ClusterSnapshot snapshot;
    private DraState dra = DraState.NONE;
    private DecisionGateMessage gate = DecisionGateMessage.NOW;
    private FreshnessMessage freshness;
    private LedgerStatistics statistics = LedgerStatistics.NONE;
    /** The time at which {@link #noticeGap} was called last; {@link Instant#MAX} before the first call. */
    private Instant lastCall = Instant.MAX;
    /** The number of statistics intervals since the start. */
    private long intervals;

    private boolean snapshotDue;
    /**
     * The events that still have to be applied. They wait because earlier events take longer than {@link #TURN_NANOS}.
     */
    private final Queue<ClusterEvent> waiting = new ArrayDeque<>();
    /** The pods of the current {@link PodEvent.PodsPage} that still have to be applied. */
    private Iterator<Pod> page = Collections.emptyIterator();
    /** The event at the end of a list of pods, while it is being applied; null otherwise. */
    private PodEvent.@Nullable ListEnded ending;
    /** True if another call of {@link #takeTurn} is already scheduled. */
    private boolean turnDue;

    /**
     * Creates a verticle with an empty ledger.
     *
     * @param settings the settings by which this process shares reservations with other replicas; empty if no other
     *     process decides about the same cluster
     * @param clock the clock of the watcher and of this verticle; it must never go back
     * @param limit the maximum age of the cluster state that decisions may use, as in {@link FreshnessMessage}
     */
    public DecisionVerticle(
            ActivePolicy policy, Optional<LeaseReplicaSettings> settings, InstantSource clock, Duration limit) {
        this.reserving = policy.policies().reserve();
        this.settings = settings.filter(_ -> reserving);
        this.clock = clock;
        this.isWatched = !limit.equals(FreshnessMessage.NO_LIMIT);
        this.ledger = new Ledger(
                settings.map(present -> Duration.ofMillis(present.times().longestCreate()))
                        .orElse(Ledger.LONGEST_CREATE));
        this.snapshot = ledger.snapshot();
        this.replica = this.settings.map(ReplicaLoop::replica);
        this.guard = new LeaseGuard(ledger, replica, clock, limit);
        this.freshness = FreshnessMessage.unproved(limit);
        this.decisions = new ReservingDecisions(ledger, clock, this::reserved);
    }

    private void reserved(String stamp, String uid, ReplicatedDecision decision) {
        if (!decision.preempted().isEmpty()) {
            LOG.atInfo()
                    .addKeyValue("namespace", decision.placement().namespace())
                    .addKeyValue("gaveWay", decision.preempted().size())
                    .log("decisions whose pods were not seen gave way");
        }
        loop.ifPresent(shared -> shared.reserved(stamp, uid, decision));
    }

    @Override
    public Future<?> start() {
        Topic.CLUSTER_EVENTS.subscribe(vertx, this::apply);
        Topic.DRA.subscribe(vertx, this::offer);
        Topic.WATCH_STATUS.subscribe(vertx, status -> {
            if (status.kind() == ObjectKind.PODS && !status.problem().isEmpty()) {
                decisions.doubt();
            }
        });
        Service.DECIDE.serveLater(vertx, this::answer);
        Service.USAGE.serve(vertx, _ -> usage());
        Service.DEVICES.serve(vertx, question -> new DevicesReply(ledger.devices(question.mostNodes()), knowsPods()));
        Service.LEDGER_COPY.serve(vertx, _ -> copy());
        EventBusLiveness.answer(vertx, context);
        if (reserving) {
            publishGate();
            every(GATE_MILLIS, () -> {
                noticeGap();
                decisions.passTime();
                loop.ifPresent(ReplicaLoop::tick);
                publishGateIfItChanged();
            });
        }
        every(STATISTICS_MILLIS, () -> {
            decisions.sweep();
            intervals++;
            boolean isRepeated = intervals <= REPEATED || intervals % REPEATED == 0;
            loop.ifPresent(shared -> shared.sweep(isRepeated));
            // The gate is closed while reviews cannot be answered. It is then published every second, so that
            // BypassVerticle knows when it was last closed.
            if (reserving && (isRepeated || !gate.now())) {
                publishGate();
            }
            LedgerStatistics newest = ledger.statistics();
            if (isRepeated || !newest.equals(statistics)) {
                statistics = newest;
                Topic.LEDGER_STATISTICS.publish(vertx, newest);
            }
        });
        loop = settings.map(present ->
                new ReplicaLoop(present, replica.orElseThrow(), decisions, guard, clock, context, this::holderChanged));
        loop.ifPresent(ReplicaLoop::start);
        return Future.succeededFuture();
    }

    /**
     * Notices a gap in the calls of this method. The watch may have shown pods during the gap whose events are not
     * applied yet. Their decisions may look overdue, but their pods were not refused. Therefore no reservation is
     * released for another pod until the watch has caught up.
     */
    private void noticeGap() {
        Instant now = clock.instant();
        if (isWatched && Duration.between(lastCall, now).compareTo(LONGEST_GAP) > 0) {
            decisions.doubt();
        }
        lastCall = now;
    }

    /** Leaves the decisions to other replicas. Afterwards no caller may ask this replica for decisions. */
    @Override
    public Future<?> stop() {
        return loop.<Future<?>>map(shared -> shared.leave(LONGEST_FAREWELL)).orElseGet(Future::succeededFuture);
    }

    /** Runs the task periodically until the process stops. */
    private void every(long millis, Runnable task) {
        long timer = vertx.setPeriodic(millis, _ -> task.run());
        Topic.STOPPING.subscribe(vertx, _ -> {
            var _ = vertx.cancelTimer(timer);
        });
    }

    private void apply(ClusterEvent event) {
        waiting.add(event);
        if (!turnDue) {
            takeTurn();
        }
    }

    private void offer(DraState state) {
        dra = state;
        ledger.offer(state);
        scheduleSnapshot();
    }

    private void scheduleSnapshot() {
        if (ledger.knowsNodes() && !snapshotDue) {
            snapshotDue = true;
            context.runOnContext(_ -> publishSnapshot());
        }
    }

    /**
     * Applies waiting events in their order for about {@link #TURN_NANOS}, and schedules another turn for the rest.
     * Decisions are made between the turns. They do not have to wait until a long list of pods is applied, which may
     * take a second.
     */
    private void takeTurn() {
        long begun = System.nanoTime();
        turnDue = false;
        do {
            step();
        } while (isBusy() && System.nanoTime() - begun < TURN_NANOS);
        turnDue = isBusy();
        if (turnDue) {
            context.runOnContext(_ -> takeTurn());
        }
    }

    private boolean isBusy() {
        return page.hasNext() || ending != null || !waiting.isEmpty();
    }

    private void step() {
        if (page.hasNext()) {
            for (int i = 0; i < PODS_BETWEEN_LOOKS && page.hasNext(); i++) {
                // Each pod is applied as a separate event, so that an error in one pod does not affect the other pods.
                applyOne(new PodEvent.PodsPage(List.of(page.next())));
            }
        } else if (ending != null) {
            end(ending);
        } else {
            begin(waiting.remove());
        }
    }

    private void begin(ClusterEvent event) {
        switch (event) {
            case PodEvent.PodsPage whole -> page = whole.pods().iterator();
            case PodEvent.ListEnded ended -> {
                ending = ended;
                ledger.beginToEnd(ended);
            }
            case PodEvent _, NodeEvent _ -> {
                applyOne(event);
                publishGateIfItOpens();
            }
        }
    }

    private void publishGateIfItOpens() {
        if (!gate.now()) {
            publishGateIfItChanged();
        }
    }

    private void publishGateIfItChanged() {
        if (!gate().equals(gate)) {
            publishGate();
        }
    }

    /**
     * Handles a change of the replica that decides. Publishes the gate if it has changed, and tries again to answer the
     * requests that wait until the deciding replica is known.
     */
    private void holderChanged() {
        publishGateIfItChanged();
        for (ReplicaLoop.UndecidedRequest waited :
                loop.map(ReplicaLoop::takeUndecided).orElse(List.of())) {
            answer(waited.request()).onComplete(waited.reply());
        }
    }

    private void end(PodEvent.ListEnded list) {
        if (isDone(list)) {
            ending = null;
            // The last snapshot may name a pod of a device plugin that the list does not contain. A new snapshot is
            // then needed.
            if (ledger.hasChangedSince(snapshot)) {
                scheduleSnapshot();
            }
            publishFreshness(guard.freshness());
            publishGateIfItOpens();
        }
    }

    private boolean isDone(PodEvent.ListEnded list) {
        try {
            return ledger.proceed();
        } catch (RuntimeException | StackOverflowError fault) {
            requestRelist(list, fault);
            return true;
        }
    }

    /**
     * Applies one event, and schedules a snapshot if the nodes have changed. All events of one turn share one snapshot,
     * because the cost of a snapshot grows with the cluster.
     */
    private void applyOne(ClusterEvent event) {
        if (changes(event)) {
            scheduleSnapshot();
        }
        publishFreshness(guard.freshness());
    }

    /**
     * Publishes the time up to which all changes of the cluster are known. This is done in a later task of the Vert.x
     * context, so that the snapshot with these changes is published first.
     */
    private void publishFreshness(FreshnessMessage now) {
        if (!now.equals(freshness)) {
            freshness = now;
            context.runOnContext(_ -> Topic.FRESHNESS.publish(vertx, now));
        }
    }

    /**
     * Applies the event, and returns true if a new snapshot is needed. If that fails, requests that the cluster is
     * listed again, and returns true.
     */
    private boolean changes(ClusterEvent event) {
        try {
            return ledger.apply(event);
        } catch (RuntimeException | StackOverflowError fault) {
            requestRelist(event, fault);
            return true;
        }
    }

    private void requestRelist(ClusterEvent event, Throwable fault) {
        stacks.add(LOG.atError().addKeyValue("object", event.objectName()), fault)
                .log("an event of the cluster could not be counted; the cluster will be listed again");
        Topic.RELIST_REQUESTS.publish(vertx, new Topic.RelistRequested());
    }

    private void publishSnapshot() {
        if (snapshotDue) {
            snapshotDue = false;
            snapshot = ledger.snapshot();
            Topic.SNAPSHOTS.publish(vertx, snapshot);
        }
    }

    /**
     * Publishes the {@link DecisionGateMessage} even if it has not changed, because subscribers may have been added.
     */
    private void publishGate() {
        gate = gate();
        Topic.DECISION_GATE.publish(vertx, gate);
    }

    private DecisionGateMessage gate() {
        if (!reserving) {
            return DecisionGateMessage.NOW;
        }
        DecisionGateMessage here = new DecisionGateMessage(guard.blockedBy());
        boolean isElsewhere = !here.now()
                && loop.filter(ReplicaLoop::hearsHolder)
                        .flatMap(ReplicaLoop::elsewhere)
                        .isPresent();
        if (isElsewhere && !loop.orElseThrow().hasJoined()) {
            return new DecisionGateMessage("this replica does not have the reservations of the others yet");
        }
        if (here.now() || isElsewhere) {
            loop.ifPresent(ReplicaLoop::answerable);
        }
        boolean isForwarded = isElsewhere
                || (!here.now() && loop.filter(ReplicaLoop::isChangingHands).isPresent());
        return isForwarded ? DecisionGateMessage.ELSEWHERE : here;
    }

    private Future<DecideReply> answer(DecideRequest request) {
        return request.effect() == DecideRequest.ReviewEffect.OBSERVED ? observed(request) : decided(request);
    }

    /**
     * Decides about a pod without a reservation. This is permitted even if another replica holds the Lease, because
     * each replica has a copy of all reservations. The decision can differ from that of the other replica only until
     * the newest reservations have arrived here.
     */
    private Future<DecideReply> observed(DecideRequest request) {
        String unknown = guard.unknown();
        return unknown.isEmpty() ? made(request) : Future.succeededFuture(new DecideReply.NotNow(unknown));
    }

    private Future<DecideReply> decided(DecideRequest request) {
        Optional<DecideReply> elsewhere = loop.flatMap(ReplicaLoop::elsewhere);
        if (elsewhere.isPresent()) {
            return Future.succeededFuture(elsewhere.get());
        }
        String blockedBy = guard.blockedBy();
        if (!blockedBy.isEmpty()) {
            return loop.filter(ReplicaLoop::isChangingHands)
                    .map(shared -> shared.whenKnown(request))
                    .orElseGet(() -> Future.succeededFuture(new DecideReply.NotNow(blockedBy)));
        }
        return made(request);
    }

    private Future<DecideReply> made(DecideRequest request) {
        if (request.deadline().isOver()) {
            return Future.succeededFuture(new DecideReply.NotNow("the request arrived too late"));
        }
        try {
            noticeGap();
            // The nodes and the free capacity of a decision must belong to the same state, so a due snapshot is
            // published first.
            publishSnapshot();
            DecidedAnswer made = decisions.decide(request, snapshot);
            return loop.filter(_ -> made.isReserved())
                    .map(shared -> shared.whenShared(request, made))
                    .orElseGet(() -> Future.succeededFuture(new DecideReply.Answered(made.verdict())));
        } catch (RuntimeException | StackOverflowError fault) {
            return Future.succeededFuture(new DecideReply.Failed(fault));
        }
    }

    private ClusterUsageReply usage() {
        publishSnapshot();
        return knowsPods()
                ? new ClusterUsageReply(snapshot, /* podsKnown= */ true, ledger.usage(), ledger.unplaced())
                : new ClusterUsageReply(snapshot, /* podsKnown= */ false, Map.of(), 0);
    }

    private LedgerCopyReply copy() {
        publishSnapshot();
        return new LedgerCopyReply(snapshot, ledger.copyOfPods(), dra, knowsPods());
    }

    private boolean knowsPods() {
        return !ledger.syncedUpTo().equals(Instant.MIN);
    }
}
