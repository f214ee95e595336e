package dev.sluice.record.events;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.request.Policy;
import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.ClusterExtendedResources;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.metrics.parts.BypassMetrics;
import dev.sluice.record.BypassCause;
import dev.sluice.record.BypassedPod;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecordBatch;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the pods that the watch reports with the decisions, and publishes the pods that no gateway decided about. It
 * runs in availability mode only, where one process makes all decisions. In allocatable mode, no process knows the
 * decisions of the other processes.
 */
public final class BypassVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(BypassVerticle.class);

    private static final long SWEEP_MILLIS = 1_000;

    /**
     * The time within which the watch usually reports a pod after its review. If the watch takes longer, the published
     * cause of a bypass may be wrong.
     */
    private static final Duration SETTLED = Duration.ofSeconds(5);

    private final RecordFlushRequest records;
    private final InstantSource clock;
    private final BypassMetrics metrics;
    private final BypassDetector detector;
    private final BypassCounter counter = new BypassCounter();
    private Policies policies;
    private ClusterExtendedResources claimed = ClusterExtendedResources.NONE;
    private Instant gateClosed = Instant.MIN;
    private boolean leading;
    /** The time up to which it is certain that no process other than this one has made decisions. */
    private Instant aloneUntil = Instant.MIN;

    /** The time since which all pods have been compared with the decisions, according to the last published report. */
    private Optional<Instant> completeSince = Optional.empty();
    /** True if a pod was found that is in no published report. */
    private boolean hasNews;

    /**
     * Creates the verticle.
     *
     * @param records a request that makes every gateway of the process publish its collected records
     * @param clock the clock of the watcher and of the election
     * @param longestCreate the longest time between a decision about a pod and the storage of the pod by the API server
     */
    public BypassVerticle(
            ActivePolicy policy,
            RecordFlushRequest records,
            InstantSource clock,
            Duration longestCreate,
            BypassMetrics metrics) {
        this.detector = new BypassDetector(longestCreate);
        this.policies = policy.policies();
        this.records = records;
        this.clock = clock;
        this.metrics = metrics;
    }

    @Override
    public Future<?> start() {
        Topic.CLUSTER_EVENTS.subscribe(vertx, this::changed);
        Topic.DECISIONS.subscribe(vertx, this::decided);
        Topic.LEASE_STATE.subscribe(vertx, this::lease);
        Topic.DECISION_GATE.subscribe(vertx, this::gate);
        Topic.POLICIES.subscribe(vertx, this::policy);
        Topic.SNAPSHOTS.subscribe(vertx, this::cluster);
        vertx.setPeriodic(SWEEP_MILLIS, _ -> sweep());
        return Future.succeededFuture();
    }

    private void changed(ClusterEvent event) {
        switch (event) {
            case PodEvent.PodSeen(Pod pod) -> seen(pod);
            case PodEvent.PodsPage(List<Pod> pods) -> pods.forEach(this::seen);
            case PodEvent.ListEnded ended -> detector.proved(ended.asOf());
            case PodEvent.PodsSyncedUpTo(Instant moment) -> detector.proved(moment);
            default -> {}
        }
    }

    /**
     * Passes a pod on to be compared with the decisions. A pod in a namespace where the policy only observes is
     * ignored, because any replica may have decided about it, and this replica does not know those decisions.
     */
    private void seen(Pod pod) {
        Policy policy = policies.forNamespace(pod.namespace());
        if (policy.observes()) {
            return;
        }
        Instant now = clock.instant();
        BypassCause cause = gateClosed.plus(SETTLED).isAfter(now) ? BypassCause.NOT_DECIDING : BypassCause.NOT_ASKED;
        detector.seen(pod, claimed.orGpusOf(policy.chains()::isGpu), cause, now);
    }

    private void decided(ReviewRecordBatch batch) {
        for (ReviewRecord review : batch.records()) {
            if (review instanceof DecisionRecord decision) {
                detector.decided(decision, clock.instant());
            }
        }
    }

    private void lease(LeaseStateMessage state) {
        switch (state) {
            case LeaseStateMessage.Leading holder -> {
                leading = true;
                aloneUntil = holder.aloneUntil();
                detector.begin(
                        new BypassDetector.SoleTerm(holder.formerMayHaveDecidedUntil(), holder.formerEnded()),
                        holder.decidesUntil(),
                        clock.instant());
            }
            case LeaseStateMessage.Standby _ -> standBy();
        }
    }

    /** Forgets the pods that were not compared yet, because another replica may have decided about them. */
    private void standBy() {
        detector.pause();
        if (leading) {
            leading = false;
            detector.discardSightings(clock.instant());
        }
    }

    private void gate(DecisionGateMessage gate) {
        if (!gate.now()) {
            gateClosed = clock.instant();
        }
    }

    private void policy(ActivePolicy active) {
        if (!active.policies().equals(policies)) {
            policies = active.policies();
            detector.discardSightings(clock.instant());
        }
    }

    private void cluster(ClusterSnapshot newest) {
        if (!newest.claimed().equals(claimed)) {
            claimed = newest.claimed();
            detector.discardSightings(clock.instant());
        }
    }

    /**
     * Compares the pods that the watch has reported with the decisions, except pods about which another process may
     * have decided. All gateways first publish their collected records, because the watch may report a pod before the
     * decision about it is published.
     */
    private void sweep() {
        Instant present = clock.instant();
        if (!detector.hasSightings()) {
            tell(present);
            return;
        }
        Instant now = present.isBefore(aloneUntil) ? present : aloneUntil;
        records.flushAll(vertx).onSuccess(_ -> {
            detector.judge(now, clock.instant()).forEach(this::count);
            tell(clock.instant());
        });
    }

    /**
     * Publishes a report if it differs from the last report: a pod without a decision was found, or the time since
     * which pods are compared has changed.
     */
    private void tell(Instant now) {
        Optional<Instant> since = detector.completeSince(now);
        if (hasNews || !since.equals(completeSince)) {
            hasNews = false;
            completeSince = since;
            Topic.BYPASSES.publish(vertx, counter.report(since));
        }
    }

    private void count(BypassedPod pod) {
        hasNews = true;
        metrics.count(counter.count(pod), 1);
        LOG.atDebug()
                .addKeyValue("pod", pod.fullName())
                .addKeyValue("cause", pod.cause().word())
                .log("no gateway decided about this GPU pod");
    }
}
