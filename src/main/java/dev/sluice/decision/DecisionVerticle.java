package dev.sluice.decision;

import dev.sluice.bus.Liveness;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.bus.message.ClusterUsage;
import dev.sluice.bus.message.DecideReply;
import dev.sluice.bus.message.DecideRequest;
import dev.sluice.bus.message.DecisionGate;
import dev.sluice.bus.message.Freshness;
import dev.sluice.event.ClusterEvent;
import dev.sluice.event.NodeEvent;
import dev.sluice.event.PodEvent;
import dev.sluice.ledger.Ledger;
import dev.sluice.log.StackTraceLimit;
import dev.sluice.policy.ActivePolicy;
import dev.sluice.snapshot.ClusterSnapshot;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Owns the ledger: applies cluster events in their order, publishes a snapshot whenever what nodes offer has changed,
 * and takes the decisions that reserve, one after the other.
 */
public final class DecisionVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(DecisionVerticle.class);

    /** A lease that ran out is noticed by each decision itself; this is for those who ask whether to come at all. */
    private static final long LOOK_MILLIS = 250;
    /** Scrapes are seconds apart. */
    private static final long STANDING_MILLIS = 1_000;

    private final Ledger ledger = new Ledger();
    private final LeaseGuard authority;
    private final SerialDecisions decisions;
    private final StackTraceLimit stacks = new StackTraceLimit();
    private final boolean reserving;
    private ClusterSnapshot newest = ledger.snapshot();
    private DecisionGate told = DecisionGate.NOW;
    private Freshness freshness;
    private boolean snapshotDue;

    /**
     * The owner of a ledger of which nothing is known yet.
     *
     * @param clock the one of the watcher and of the election
     * @param limit the age of a proof beyond which nothing is decided by what is free, {@link Freshness#NO_LIMIT} for a
     *     source that is current by its own rule
     */
    public DecisionVerticle(ActivePolicy policy, Rivals rivals, InstantSource clock, Duration limit) {
        this.reserving = policy.policies().reserve();
        this.authority = new LeaseGuard(rivals, clock, limit);
        this.freshness = Freshness.unproved(limit);
        this.decisions = new SerialDecisions(ledger, clock);
    }

    /** Who else may decide about the same cluster. */
    public enum Rivals {
        /** Nobody: it is a file, or embedded. */
        NONE,
        /** Other replicas; the holder of the lease decides. */
        REPLICAS
    }

    @Override
    public Future<?> start() {
        Topic.CLUSTER_EVENTS.subscribe(vertx, this::apply);
        Topic.LEASE_STATE.subscribe(vertx, leadership -> {
            authority.is(leadership);
            look();
        });
        Service.DECIDE.serve(vertx, this::answer);
        Service.USAGE.serve(vertx, _ -> usage());
        Liveness.answer(vertx, context);
        if (reserving) {
            look();
            every(LOOK_MILLIS, this::look);
        }
        every(STANDING_MILLIS, () -> {
            decisions.sweep();
            Topic.STANDING.publish(vertx, ledger.standing());
        });
        return Future.succeededFuture();
    }

    /** Until the process stops: who would listen is gone soon then. */
    private void every(long millis, Runnable task) {
        long timer = vertx.setPeriodic(millis, _ -> task.run());
        Topic.STOPPING.subscribe(vertx, _ -> {
            var _ = vertx.cancelTimer(timer);
        });
    }

    private void apply(ClusterEvent event) {
        switch (event) {
            // One by one, so that a pod that cannot be counted takes no other with it.
            case PodEvent.PodsPage page -> page.pods().forEach(pod -> follow(new PodEvent.PodsPage(List.of(pod))));
            case PodEvent _, NodeEvent _ -> follow(event);
        }
        if (!told.now() && authority.blockedBy(ledger).isEmpty()) {
            look();
        }
    }

    /** Events that wait together are answered by one snapshot: its cost grows with the cluster, theirs does not. */
    private void follow(ClusterEvent event) {
        if (changes(event) && ledger.knowsNodes() && !snapshotDue) {
            snapshotDue = true;
            context.runOnContext(_ -> publish());
        }
        follow(authority.freshness(ledger));
    }

    /** Told after the snapshot that holds what the proof speaks of. */
    private void follow(Freshness now) {
        if (!now.equals(freshness)) {
            freshness = now;
            context.runOnContext(_ -> Topic.FRESHNESS.publish(vertx, now));
        }
    }

    /** A fault of ours stops no other event; what was lost by it is told again by the next list. */
    private boolean changes(ClusterEvent event) {
        try {
            return ledger.apply(event);
        } catch (RuntimeException | StackOverflowError fault) {
            LoggingEventBuilder line = LOG.atError().addKeyValue("object", EventSubject.of(event));
            (stacks.allowOne() ? line.setCause(fault) : line.addKeyValue("fault", fault))
                    .log("A fault while counting what the cluster tells; the cluster will be listed again");
            Topic.RELIST_REQUESTS.publish(vertx, new Topic.RelistRequested());
            return true;
        }
    }

    private void publish() {
        if (snapshotDue) {
            snapshotDue = false;
            newest = ledger.snapshot();
            Topic.SNAPSHOTS.publish(vertx, newest);
        }
    }

    /** Told at every look, for those who came later. */
    private void look() {
        told = new DecisionGate(reserving ? authority.blockedBy(ledger) : "");
        Topic.DECISION_GATE.publish(vertx, told);
        Topic.FITNESS.publish(vertx, authority.fitness(ledger));
    }

    private DecideReply answer(DecideRequest question) {
        String hindrance = authority.blockedBy(ledger);
        if (!hindrance.isEmpty()) {
            return new DecideReply.NotNow(hindrance);
        }
        if (question.deadline().isOver()) {
            return new DecideReply.NotNow("the question came too late to be of use");
        }
        try {
            // What is offered and what is free are of the same moment.
            publish();
            return new DecideReply.Answered(decisions.decide(question, newest));
        } catch (RuntimeException | StackOverflowError fault) {
            return new DecideReply.Failed(fault);
        }
    }

    private ClusterUsage usage() {
        publish();
        return ledger.syncedUpTo().equals(Instant.MIN)
                ? new ClusterUsage(newest, /* podsKnown= */ false, Map.of(), 0)
                : new ClusterUsage(
                        newest,
                        /* podsKnown= */ true,
                        ledger.usage(),
                        ledger.standing().unplaced());
    }
}
