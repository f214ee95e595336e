package dev.sluice.lease;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.ClusterUsage;
import dev.sluice.bus.ClusterUsage.DevicesReply;
import dev.sluice.bus.DecideReply;
import dev.sluice.bus.DecideRequest;
import dev.sluice.bus.DecisionGate;
import dev.sluice.bus.Freshness;
import dev.sluice.bus.Liveness;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.ledger.Ledger;
import dev.sluice.log.StackTraceLimit;
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
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the ledger: it applies cluster events in their order, publishes a snapshot when what nodes offer has changed,
 * and makes the decisions that reserve, one after the other.
 */
public final class DecisionVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(DecisionVerticle.class);

    /**
     * How often the gate is published, which tells others whether to ask, and how often decisions that are obsolete
     * end. Each decision checks the lease itself.
     */
    private static final long GATE_MILLIS = 250;
    /** Metrics are scraped every few seconds. */
    private static final long STATISTICS_MILLIS = 1_000;
    /** How long events may be applied before the decisions that wait are made. */
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /**
     * How many pods are applied between two looks at the clock. A pod takes a millisecond at worst, if ten thousand
     * pods with different demands are pending.
     */
    private static final int PODS_BETWEEN_LOOKS = 16;

    private final Ledger ledger;
    private final LeaseGuard leaseGuard;
    private final SerialDecisions decisions;
    private final StackTraceLimit stacks = new StackTraceLimit();
    private final boolean reserving;
    private ClusterSnapshot snapshot;
    private DecisionGate gate = DecisionGate.NOW;
    private Freshness freshness;
    private boolean snapshotDue;
    /** Events for which the last turn was too short. */
    private final Queue<ClusterEvent> waiting = new ArrayDeque<>();
    /** The pods that are left of a page. */
    private Iterator<Pod> page = Collections.emptyIterator();
    /** Null when no list of pods is ending. */
    private PodEvent.@Nullable ListEnded ending;
    /** Another turn will come. */
    private boolean turnDue;

    /**
     * The ledger is empty at first.
     *
     * @param clock the clock of the watcher and of the election
     * @param limit as in {@link Freshness}
     */
    public DecisionVerticle(ActivePolicy policy, OtherReplicas otherReplicas, InstantSource clock, Duration limit) {
        this(policy, otherReplicas, clock, limit, TakeoverTimes.REAL);
    }

    public DecisionVerticle(
            ActivePolicy policy,
            OtherReplicas otherReplicas,
            InstantSource clock,
            Duration limit,
            TakeoverTimes times) {
        this.ledger = new Ledger(times.longestCreate());
        this.snapshot = ledger.snapshot();
        this.reserving = policy.policies().reserve();
        this.leaseGuard = new LeaseGuard(otherReplicas, clock, limit);
        this.freshness = Freshness.unproved(limit);
        this.decisions = new SerialDecisions(ledger, clock);
    }

    /** Which other processes may decide about the same cluster. */
    public enum OtherReplicas {
        /** There are none: the cluster is a file, or embedded. */
        NONE,
        /** There may be other replicas, and the holder of the lease decides. */
        POSSIBLE
    }

    @Override
    public Future<?> start() {
        Topic.CLUSTER_EVENTS.subscribe(vertx, this::apply);
        Topic.LEASE_STATE.subscribe(vertx, leaseState -> {
            leaseGuard.update(leaseState);
            publishGate();
        });
        Service.DECIDE.serve(vertx, this::answer);
        Service.USAGE.serve(vertx, _ -> usage());
        Service.DEVICES.serve(vertx, question -> new DevicesReply(ledger.devices(question.mostNodes()), knowsPods()));
        Liveness.answer(vertx, context);
        if (reserving) {
            publishGate();
            every(GATE_MILLIS, () -> {
                decisions.passTime();
                publishGate();
            });
        }
        every(STATISTICS_MILLIS, () -> {
            decisions.sweep();
            Topic.LEDGER_STATISTICS.publish(vertx, ledger.statistics());
        });
        return Future.succeededFuture();
    }

    /** Repeats the task until the process stops. */
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

    /**
     * Applies events in their order. Pods that wait for many different things make a page take a second, and the end of
     * a list with a million pods takes as long; so this takes several turns, between which decisions are made.
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
                // Each pod is an event of its own, so that a fault affects no other.
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
        if (!gate.now() && leaseGuard.blockedBy(ledger).isEmpty()) {
            publishGate();
        }
    }

    private void end(PodEvent.ListEnded list) {
        if (isDone(list)) {
            ending = null;
            publishFreshness(leaseGuard.freshness(ledger));
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

    /** All events that wait make one snapshot, because its cost grows with the cluster. */
    private void applyOne(ClusterEvent event) {
        if (changes(event) && ledger.knowsNodes() && !snapshotDue) {
            snapshotDue = true;
            context.runOnContext(_ -> publishSnapshot());
        }
        publishFreshness(leaseGuard.freshness(ledger));
    }

    /** Freshness is published after the snapshot that it is about. */
    private void publishFreshness(Freshness now) {
        if (!now.equals(freshness)) {
            freshness = now;
            context.runOnContext(_ -> Topic.FRESHNESS.publish(vertx, now));
        }
    }

    /** A fault affects no other event, and the next list repeats what was lost by it. */
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

    /** It is published even when it has not changed, for those that have subscribed since. */
    private void publishGate() {
        gate = new DecisionGate(reserving ? leaseGuard.blockedBy(ledger) : "");
        Topic.DECISION_GATE.publish(vertx, gate);
        Topic.FITNESS.publish(vertx, leaseGuard.fitness(ledger));
    }

    private DecideReply answer(DecideRequest request) {
        String blockedBy = leaseGuard.blockedBy(ledger);
        if (!blockedBy.isEmpty()) {
            return new DecideReply.NotNow(blockedBy);
        }
        if (request.deadline().isOver()) {
            return new DecideReply.NotNow("the request arrived too late");
        }
        try {
            // What nodes offer and what is free must be of the same moment.
            publishSnapshot();
            return new DecideReply.Answered(decisions.decide(request, snapshot));
        } catch (RuntimeException | StackOverflowError fault) {
            return new DecideReply.Failed(fault);
        }
    }

    private ClusterUsage usage() {
        publishSnapshot();
        return knowsPods()
                ? new ClusterUsage(
                        snapshot,
                        /* podsKnown= */ true,
                        ledger.usage(),
                        ledger.statistics().unplaced())
                : new ClusterUsage(snapshot, /* podsKnown= */ false, Map.of(), 0);
    }

    private boolean knowsPods() {
        return !ledger.syncedUpTo().equals(Instant.MIN);
    }
}
