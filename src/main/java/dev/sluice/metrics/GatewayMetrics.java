package dev.sluice.metrics;

import com.codahale.metrics.Counter;
import dev.sluice.body.SharedLimits;
import dev.sluice.bus.Inbox;
import dev.sluice.bus.Topic;
import dev.sluice.bus.message.ActiveTls;
import dev.sluice.bus.message.Freshness;
import dev.sluice.bus.message.LeaseState;
import dev.sluice.bus.message.TlsReload;
import dev.sluice.bus.message.WatchStatus;
import dev.sluice.connection.AbuseCause;
import dev.sluice.connection.Connections;
import dev.sluice.connection.HandshakeFailure;
import dev.sluice.ledger.LedgerStatistics;
import dev.sluice.observe.AdmissionObserver;
import dev.sluice.policy.ActivePolicy;
import dev.sluice.policy.Policies;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordBatch;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecord.PodWithoutGpu;
import dev.sluice.request.Move;
import dev.sluice.review.AdmissionReview;
import dev.sluice.snapshot.ClusterSnapshot;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The metrics of the gateway. All series that can be known beforehand exist from the start, at zero. */
public final class GatewayMetrics implements AdmissionObserver {

    private static final String CERTIFICATE = "certificate";
    private static final List<Integer> STATUSES = List.of(400, 403, 404, 405, 408, 413, 415, 431, 503);

    private final MetricFamilies families;
    private final Map<Move, Counter> fallbacks = new ConcurrentHashMap<>();
    private final DecisionCounters decisions;
    private final Counter withoutGpu;
    private final Counter passed;
    private final Counter faults;
    private final Latencies durations = new Latencies();
    private final Counter policyRefused;
    private final Counter eventFaults;
    private volatile long policy;
    private volatile long filesRefused;
    private volatile long generation;
    private volatile long nodes;
    private final Map<WatchStatus.ObjectKind, WatchStatus> watches = new ConcurrentHashMap<>();
    private volatile LedgerStatistics ledger = LedgerStatistics.NONE;
    private volatile Freshness freshness = Freshness.unproved(Freshness.NO_LIMIT);
    private volatile LeaseState leaseState = new LeaseState.Standby("");

    private volatile @Nullable ActiveTls tls;
    private volatile long certificateFilesRefused;

    public GatewayMetrics(PrometheusRegistry registry, ActivePolicy policy, LongSupplier lostLines) {
        this.families = new MetricFamilies(registry);
        this.decisions = new DecisionCounters(families);
        this.withoutGpu = families.counter(MetricName.WITHOUT_GPU);
        this.passed = families.counter(MetricName.PASSED);
        this.faults = families.counter(MetricName.FAULTS);
        this.policyRefused = families.counter(MetricName.POLICY_REFUSED);
        this.eventFaults = families.counter(MetricName.EVENT_FAULTS);
        this.policy = policy.generation();
        registry.register(durations);
        registerFallbacks(policy.policies());
        STATUSES.forEach(status -> {
            var _ = refusals(status);
        });
        registerGauges();
        registerLedger();
        registerTls();
        families.counter(MetricName.LOG_LINES_LOST, lostLines::getAsLong);
        for (WatchStatus.ObjectKind kind : WatchStatus.ObjectKind.values()) {
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

    private void registerGauges() {
        families.gauge(MetricName.LEASE_HELD, () -> leaseState instanceof LeaseState.Leading ? 1 : 0);
        families.gauge(MetricName.POLICY_GENERATION, () -> policy);
        families.gauge(MetricName.POLICY_FILES_REFUSED, () -> filesRefused);
        families.gauge(MetricName.GENERATION, () -> generation);
        families.gauge(MetricName.NODES, () -> nodes);
    }

    private void registerLedger() {
        families.gauge(MetricName.PODS_COUNTED, () -> ledger.pods());
        families.gauge(MetricName.ASSUMED, () -> ledger.assumed());
        families.gauge(MetricName.ASSUMED_BYTES, () -> ledger.decisions().bytes());
        families.gauge(MetricName.UNPLACED, () -> ledger.unplaced());
        families.gauge(MetricName.OVERCOMMITTED, () -> ledger.overcommitted());
        families.gauge(MetricName.AUDIT_FINDINGS, () -> ledger.auditDifference().pods(), "differs", "pods");
        families.gauge(MetricName.AUDIT_FINDINGS, () -> ledger.auditDifference().nodes(), "differs", "nodes");
        families.gauge(MetricName.AUDIT_FINDINGS, () -> ledger.auditDifference().places(), "differs", "places");
        families.counter(MetricName.BROKEN_PROMISES, () -> ledger.evictions());
        families.counter(MetricName.GAVE_WAY, () -> ledger.decisions().preempted());
        families.counter(MetricName.NOT_RESERVED, () -> ledger.decisions().ofNamespace(), "limit", "namespace");
        families.counter(MetricName.NOT_RESERVED, () -> ledger.decisions().inAll(), "limit", "all");
        families.counter(MetricName.NOT_RESERVED, () -> ledger.decisions().bySize(), "limit", "size");
    }

    private void registerWatch(WatchStatus.ObjectKind kind) {
        String word = kind.word();
        families.gauge(MetricName.SYNCED, () -> status(kind).isSynced() ? 1 : 0, "kind", word);
        families.gauge(MetricName.LAST_HEARD, () -> epochSeconds(status(kind)), "kind", word);
        families.gauge(MetricName.CURRENT_AS_OF, () -> epochSeconds(freshness.of(kind)), "kind", word);
        families.gauge(MetricName.UNREAD, () -> status(kind).passedOver().current(), "kind", word);
        families.counter(MetricName.RELISTS, () -> status(kind).relists(), "kind", word);
        families.counter(MetricName.WATCH_FAILURES, () -> status(kind).failures(), "kind", word);
        families.counter(MetricName.PASSED_OVER, () -> status(kind).passedOver().total(), "kind", word);
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

    /** Subscribes to the topics whose messages are counted or shown. */
    public void listen(Vertx vertx) {
        Topic.DECISIONS.subscribe(vertx, this::count);
        Topic.WATCH_STATUS.subscribe(vertx, newest -> watches.put(newest.kind(), newest));
        Topic.SNAPSHOTS.subscribe(vertx, this::snapshot);
        Topic.FRESHNESS.subscribe(vertx, newest -> freshness = newest);
        Topic.LEASE_STATE.subscribe(vertx, newest -> leaseState = newest);
        Topic.LEDGER_STATISTICS.subscribe(vertx, newest -> ledger = newest);
        Topic.RELIST_REQUESTS.subscribe(vertx, _ -> eventFaults.inc());
        Topic.POLICIES.subscribe(vertx, this::policy);
        Topic.POLICY_REFUSED.subscribe(vertx, _ -> policyRefused());
        Topic.TLS_ACTIVE.subscribe(vertx, newest -> tls = newest);
        Topic.TLS_RELOADS.subscribe(vertx, this::tlsReload);
        Topic.POLICY_REPAIRED.subscribe(vertx, _ -> filesRefused = 0);
    }

    /** Shows the connections of both ports, the memory of bodies and the abuse. */
    public void show(SharedLimits webhook, Connections management) {
        families.gauge(MetricName.CONNECTIONS, () -> webhook.connections().count(), "port", "webhook");
        families.gauge(MetricName.CONNECTIONS, management::count, "port", "management");
        families.gauge(MetricName.BODY_MEMORY, () -> webhook.budget().heldBytes());
        for (AbuseCause cause : AbuseCause.values()) {
            families.counter(MetricName.ABUSE, () -> webhook.abuse().count(cause), "cause", cause.word());
        }
    }

    /** Shows the certificate that is served at the start, and those after it. */
    public void show(ActiveTls first) {
        tls = first;
    }

    private void registerTls() {
        families.gauge(MetricName.CERTIFICATE_NOT_AFTER, () -> ends(ActiveTls::notAfter), CERTIFICATE, "served");
        families.gauge(
                MetricName.CERTIFICATE_NOT_AFTER,
                () -> ends(active -> active.authoritiesNotAfter().orElse(Instant.MIN)),
                CERTIFICATE,
                "authority");
        families.gauge(MetricName.CERTIFICATE_READ, () -> ends(ActiveTls::readAt));
        families.gauge(MetricName.CERTIFICATE_FILES_REFUSED, () -> certificateFilesRefused);
        for (TlsReload.ReloadResult result : TlsReload.ReloadResult.values()) {
            var _ = reloads(result);
        }
        for (HandshakeFailure failure : HandshakeFailure.values()) {
            var _ = handshakeFailures(failure);
        }
    }

    private double ends(Function<ActiveTls, Instant> moment) {
        ActiveTls active = tls;
        return active == null ? 0 : epochSeconds(moment.apply(active));
    }

    private void tlsReload(TlsReload reload) {
        reloads(reload.result()).inc();
        certificateFilesRefused = reload.problems().isEmpty() ? 0 : 1;
    }

    private Counter reloads(TlsReload.ReloadResult result) {
        return families.counter(MetricName.CERTIFICATE_RELOADS, "result", result.word());
    }

    private Counter handshakeFailures(HandshakeFailure failure) {
        return families.counter(MetricName.HANDSHAKE_FAILURES, "cause", failure.word());
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

    /** Counts what was decided; {@link Topic#DECISIONS} is the one way by which it comes here. */
    void count(RecordBatch batch) {
        for (ReviewRecord review : batch.records()) {
            durations.add(review.nanos());
            switch (review) {
                case PodWithoutGpu _ -> withoutGpu.inc();
                case DecisionRecord decision -> {
                    decisions.of(decision.kind(), decision.reason()).inc();
                    if (!decision.pod().head().dryRun()) {
                        decision.moves().forEach(move -> fallback(move).inc());
                    }
                }
            }
        }
    }

    /** Shows how many records each consumer of them has missed. */
    public void watch(String consumer, Inbox<ReviewRecord> inbox) {
        families.counter(MetricName.RECORDS_DROPPED, inbox::dropped, "consumer", consumer);
    }

    @Override
    public void passed(AdmissionReview review) {
        passed.inc();
    }

    @Override
    public void refused(int status, String sentence) {
        refusals(status).inc();
    }

    @Override
    public void handshakeFailed(HandshakeFailure failure) {
        handshakeFailures(failure).inc();
    }

    @Override
    public void failed(String uid, Throwable fault) {
        faults.inc();
    }

    private Counter fallback(Move move) {
        return fallbacks.computeIfAbsent(
                move,
                _ -> families.counter(
                        MetricName.FALLBACK,
                        "from",
                        move.asked().value(),
                        "to",
                        move.given().value()));
    }

    private Counter refusals(int status) {
        return families.counter(MetricName.REFUSED, "status", Integer.toString(status));
    }
}
