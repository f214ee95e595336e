package dev.sluice.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import dev.sluice.body.Intake;
import dev.sluice.bus.Topic;
import dev.sluice.bus.message.Freshness;
import dev.sluice.bus.message.LeaseState;
import dev.sluice.bus.message.WatchStatus;
import dev.sluice.connection.Cause;
import dev.sluice.connection.Connections;
import dev.sluice.ledger.AuditDifference;
import dev.sluice.ledger.DecisionCounts;
import dev.sluice.ledger.LedgerStatistics;
import dev.sluice.observe.AdmissionObserver;
import dev.sluice.policy.ActivePolicy;
import dev.sluice.policy.Policies;
import dev.sluice.request.Move;
import dev.sluice.review.AdmissionReview;
import dev.sluice.snapshot.ClusterSnapshot;
import dev.sluice.verdict.Reason;
import dev.sluice.verdict.Verdict;
import dev.sluice.wording.Words;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** Counts what the gateway does. Every series that can be foreseen exists from the start, at zero. */
public final class GatewayMetrics implements AdmissionObserver {

    private static final String DENIED = "denied";
    private static final List<Integer> STATUSES = List.of(400, 403, 404, 405, 408, 413, 415, 431, 503);

    private final MetricRegistry registry;
    private final Counter withoutGpu;
    private final Counter passed;
    private final Counter faults;
    private final Latencies durations;
    private final Counter policyRefused;
    private final Counter brokenPromises;
    private final Counter gaveWay;
    private final Counter eventFaults;
    private volatile long policy;
    private volatile long filesRefused;
    private volatile long generation;
    private volatile long nodes;
    private final Map<WatchStatus.ObjectKind, WatchStatus> watches = new ConcurrentHashMap<>();
    private volatile LedgerStatistics standing = LedgerStatistics.NONE;
    private volatile Freshness freshness = Freshness.unproved(Freshness.NO_LIMIT);
    private volatile LeaseState leadership = new LeaseState.Standby("");

    /** {@code lostLines} tells how many lines of the log were lost so far. */
    public GatewayMetrics(MetricRegistry registry, ActivePolicy policy, LongSupplier lostLines) {
        this.registry = registry;
        this.withoutGpu = registry.counter(MetricName.WITHOUT_GPU.series());
        this.passed = registry.counter(MetricName.PASSED.series());
        this.faults = registry.counter(MetricName.FAULTS.series());
        this.durations = registry.register(MetricName.DURATION.series(), new Latencies());
        this.policyRefused = registry.counter(MetricName.POLICY_REFUSED.series());
        this.brokenPromises = registry.counter(MetricName.BROKEN_PROMISES.series());
        this.gaveWay = registry.counter(MetricName.GAVE_WAY.series());
        this.eventFaults = registry.counter(MetricName.EVENT_FAULTS.series());
        this.policy = policy.generation();
        registerFallbacks(policy.policies());
        registerDecisions();
        STATUSES.forEach(status -> registry.counter(refusedSeries(status)));
        registerGauges();
        notReserved(DecisionCounts.NONE);
        registry.register(MetricName.LOG_LINES_LOST.series(), new OtherCount(lostLines));
        for (WatchStatus.ObjectKind kind : WatchStatus.ObjectKind.values()) {
            watch(WatchStatus.ofNew(kind, ""));
            registerWatch(kind);
        }
    }

    private void registerFallbacks(Policies policies) {
        policies.all()
                .forEach(policy -> policy.chains()
                        .byHead()
                        .forEach((from, chain) -> chain.forEach(to -> {
                            var _ = fallback(new Move(from, to));
                        })));
    }

    private void registerDecisions() {
        for (Verdict.Outcome outcome : Verdict.Outcome.values()) {
            for (Reason reason : outcome.reasons()) {
                var _ = decisions(outcome.word(), reason);
            }
        }
        var _ = decisions(DENIED, Reason.NOT_OFFERED);
        var _ = decisions(DENIED, Reason.EXHAUSTED);
        var _ = decisions(DENIED, Reason.NO_GPU_IN_CLUSTER);
        var _ = decisions(DENIED, Reason.INJECTION_REFUSED);
        var _ = decisions(DENIED, Reason.MALFORMED_POD);
        var _ = decisions(DENIED, Reason.CANNOT_BE_EVALUATED);
    }

    private void registerGauges() {
        gauge(MetricName.LEASE_HELD, () -> leadership instanceof LeaseState.Leading ? 1 : 0);
        gauge(MetricName.POLICY_GENERATION, () -> policy);
        gauge(MetricName.POLICY_FILES_REFUSED, () -> filesRefused);
        gauge(MetricName.GENERATION, () -> generation);
        gauge(MetricName.NODES, () -> nodes);
        gauge(MetricName.PODS_COUNTED, () -> standing.pods());
        gauge(MetricName.ASSUMED, () -> standing.assumed());
        gauge(MetricName.ASSUMED_BYTES, () -> standing.decisions().bytes());
        gauge(MetricName.UNPLACED, () -> standing.unplaced());
        gauge(MetricName.OVERCOMMITTED, () -> standing.overcommitted());
        finding("pods", AuditDifference::pods);
        finding("nodes", AuditDifference::nodes);
        finding("places", AuditDifference::places);
    }

    private void finding(String what, ToLongFunction<AuditDifference> count) {
        registry.gauge(
                MetricName.FINDINGS.series("differs", what), () -> () -> count.applyAsLong(standing.auditDifference()));
    }

    private void registerWatch(WatchStatus.ObjectKind kind) {
        registry.gauge(of(MetricName.SYNCED, kind), () -> () -> status(kind).isSynced() ? 1 : 0);
        registry.gauge(of(MetricName.LAST_HEARD, kind), () -> () -> epochSeconds(status(kind)));
        registry.gauge(of(MetricName.CURRENT_AS_OF, kind), () -> () -> epochSeconds(freshness.of(kind)));
        registry.gauge(
                of(MetricName.UNREAD, kind),
                () -> () -> status(kind).passedOver().current());
    }

    private static String of(MetricName name, WatchStatus.ObjectKind kind) {
        return name.series("kind", kind.word());
    }

    private WatchStatus status(WatchStatus.ObjectKind kind) {
        return watches.getOrDefault(kind, WatchStatus.ofNew(kind, ""));
    }

    private static double epochSeconds(WatchStatus watch) {
        Instant heard = watch.lastHeardAt();
        return heard == null ? 0 : epochSeconds(heard);
    }

    private static double epochSeconds(Instant moment) {
        return moment.equals(Instant.MIN) ? 0 : moment.toEpochMilli() / 1000.0;
    }

    private void gauge(MetricName name, Gauge<Number> value) {
        registry.gauge(name.series(), () -> value);
    }

    /** Follows what the bus says of the cluster. */
    public void listen(Vertx vertx) {
        Topic.WATCH_STATUS.subscribe(vertx, this::watch);
        Topic.SNAPSHOTS.subscribe(vertx, this::snapshot);
        Topic.FRESHNESS.subscribe(vertx, newest -> freshness = newest);
        Topic.LEASE_STATE.subscribe(vertx, newest -> leadership = newest);
        Topic.LEDGER_STATISTICS.subscribe(vertx, this::standing);
        Topic.RELIST_REQUESTS.subscribe(vertx, _ -> eventFaults.inc());
        Topic.POLICIES.subscribe(vertx, this::policy);
        Topic.POLICY_REFUSED.subscribe(vertx, _ -> policyRefused());
        Topic.POLICY_REPAIRED.subscribe(vertx, _ -> filesRefused = 0);
    }

    /** Shows what comes in over the ports: of the webhook, and of the one for management. */
    public void show(Intake webhook, Connections management) {
        registry.gauge(
                MetricName.CONNECTIONS.series("port", "webhook"),
                () -> () -> webhook.connections().count());
        registry.gauge(MetricName.CONNECTIONS.series("port", "management"), () -> management::count);
        gauge(MetricName.BODY_MEMORY, () -> webhook.budget().heldBytes());
        for (Cause cause : Cause.values()) {
            registry.register(
                    MetricName.ABUSE.series("cause", cause.word()),
                    new CountedElsewhere(() -> webhook.causes().count(cause)));
        }
    }

    private void watch(WatchStatus status) {
        watches.put(status.kind(), status);
        set(registry.counter(of(MetricName.RELISTS, status.kind())), status.relists());
        set(registry.counter(of(MetricName.WATCH_FAILURES, status.kind())), status.failures());
        set(
                registry.counter(of(MetricName.PASSED_OVER, status.kind())),
                status.passedOver().total());
    }

    private static void set(Counter counter, long count) {
        counter.inc(count - counter.getCount());
    }

    private void standing(LedgerStatistics newest) {
        standing = newest;
        set(brokenPromises, newest.evictions());
        set(gaveWay, newest.decisions().preempted());
        notReserved(newest.decisions());
    }

    private void notReserved(DecisionCounts decisions) {
        set(registry.counter(MetricName.NOT_RESERVED.series("limit", "namespace")), decisions.ofNamespace());
        set(registry.counter(MetricName.NOT_RESERVED.series("limit", "all")), decisions.inAll());
        set(registry.counter(MetricName.NOT_RESERVED.series("limit", "size")), decisions.bySize());
    }

    private void policy(ActivePolicy active) {
        registerFallbacks(active.policies());
        policy = active.generation();
    }

    private void policyRefused() {
        policyRefused.inc();
        filesRefused = 1;
    }

    private void snapshot(ClusterSnapshot snapshot) {
        generation = snapshot.generation();
        nodes = snapshot.nodes().size();
    }

    @Override
    public void decided(AdmissionReview review, Verdict verdict, Words words, long generation, long nanos) {
        durations.add(nanos);
        switch (verdict) {
            case Verdict.NoGpu _ -> withoutGpu.inc();
            case Verdict.Denied denied -> decisions(DENIED, denied.reason()).inc();
            case Verdict.Allowed allowed -> {
                decisions(allowed.outcome().word(), allowed.reason()).inc();
                if (review.dryRun() == AdmissionReview.DryRun.NO) {
                    allowed.moves().forEach(move -> fallback(move).inc());
                }
            }
        }
    }

    @Override
    public void passed(AdmissionReview review) {
        passed.inc();
    }

    @Override
    public void refused(int status, String sentence) {
        registry.counter(refusedSeries(status)).inc();
    }

    @Override
    public void failed(String uid, Throwable fault) {
        faults.inc();
    }

    /** What somebody else counts, as a counter of the registry. */
    private static final class CountedElsewhere extends Counter {

        private final LongSupplier count;

        CountedElsewhere(LongSupplier count) {
            this.count = count;
        }

        @Override
        public long getCount() {
            return count.getAsLong();
        }
    }

    private Counter fallback(Move move) {
        return registry.counter(MetricName.FALLBACK.series(
                "from", move.asked().value(), "to", move.given().value()));
    }

    private Counter decisions(String decision, Reason reason) {
        return registry.counter(MetricName.DECISIONS.series("decision", decision, "reason", reason.word()));
    }

    private static String refusedSeries(int status) {
        return MetricName.REFUSED.series("status", Integer.toString(status));
    }
}
