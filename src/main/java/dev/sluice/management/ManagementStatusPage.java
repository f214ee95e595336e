package dev.sluice.management;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.NamespaceGlob;
import dev.sluice.admission.request.Policy;
import dev.sluice.api.ReplicaStatusDocument;
import dev.sluice.api.ReplicaStatusDocument.AuditStatus;
import dev.sluice.api.ReplicaStatusDocument.LatencyStatus;
import dev.sluice.api.ReplicaStatusDocument.LedgerStatus;
import dev.sluice.api.ReplicaStatusDocument.PolicyStatus;
import dev.sluice.api.ReplicaStatusDocument.RightStatus;
import dev.sluice.api.ReplicaStatusDocument.ServedCertificate;
import dev.sluice.api.ReplicaStatusDocument.SharingStatus;
import dev.sluice.api.ReplicaStatusDocument.WatchStatus;
import dev.sluice.bus.ActiveTlsMessage;
import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage;
import dev.sluice.bus.WatchStatusMessage.ObjectKind;
import dev.sluice.kube.client.OwnPodName;
import dev.sluice.ledger.LedgerStatistics;
import dev.sluice.ledger.LedgerStatistics.AuditDifference;
import dev.sluice.metrics.LatencyHistogram;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecordBatch;
import dev.sluice.replication.Member;
import dev.sluice.tls.CertifiedKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects the status of this replica for {@code /api/v1/status}. Only one event loop may use it. */
final class ManagementStatusPage {

    /** The maximum number of problems of a configuration that are shown. {@code sluice check} shows all. */
    private static final int MOST_PROBLEMS = 5;

    private final ManagementPortSettings settings;
    private final Readiness readiness;
    private final Optional<ManagementRightsLog> rights;
    private final Map<ObjectKind, WatchStatusMessage> watches = new EnumMap<>(ObjectKind.class);
    private FreshnessMessage freshness = FreshnessMessage.unproved(FreshnessMessage.NO_LIMIT);
    private DecisionGateMessage gate = DecisionGateMessage.NOW;
    private Optional<ReplicationStatusMessage> replication = Optional.empty();
    private ActivePolicy policy;
    private List<String> refused = List.of();
    private Optional<ActiveTlsMessage> tls;
    private List<String> tlsProblems = List.of();
    private LedgerStatistics statistics = LedgerStatistics.NONE;
    /** The durations of the decisions of this replica. */
    private final LatencyHistogram durations = new LatencyHistogram();
    /** The digest of the policy whose generation is {@link #digested}. */
    private String digest = "";

    private long digested;

    ManagementStatusPage(ManagementPortSettings settings, Readiness readiness, Optional<ManagementRightsLog> rights) {
        this.settings = settings;
        this.readiness = readiness;
        this.rights = rights;
        this.policy = settings.policy();
        this.tls = settings.tls();
    }

    void listen(Vertx vertx) {
        Topic.WATCH_STATUS.subscribe(vertx, newest -> watches.put(newest.kind(), newest));
        Topic.FRESHNESS.subscribe(vertx, newest -> freshness = newest);
        Topic.DECISION_GATE.subscribe(vertx, newest -> gate = newest);
        Topic.REPLICATION.subscribe(vertx, newest -> replication = Optional.of(newest));
        Topic.POLICIES.subscribe(vertx, newest -> {
            policy = newest;
            refused = List.of();
        });
        Topic.POLICY_REFUSED.subscribe(
                vertx,
                newest -> refused =
                        newest.problems().stream().limit(MOST_PROBLEMS).toList());
        Topic.POLICY_REPAIRED.subscribe(vertx, _ -> refused = List.of());
        Topic.TLS_ACTIVE.subscribe(vertx, newest -> tls = Optional.of(newest));
        Topic.TLS_RELOADS.subscribe(vertx, newest -> tlsProblems = newest.problems());
        Topic.LEDGER_STATISTICS.subscribe(vertx, newest -> statistics = newest);
        Topic.DECISIONS.subscribe(vertx, this::add);
        rights.ifPresent(ManagementRightsLog::start);
    }

    private void add(ReviewRecordBatch batch) {
        for (ReviewRecord review : batch.records()) {
            if (review instanceof DecisionRecord) {
                durations.add(review.nanos());
            }
        }
    }

    /** Asks the API server which rights this replica has, and returns the status with the answer. */
    Future<ReplicaStatusDocument> now(Vertx vertx) {
        return rights.map(ManagementRightsLog::now)
                .orElseGet(() -> Future.succeededFuture(List.of()))
                .compose(answered -> digest(vertx).map(_ -> document(answered)));
    }

    private ReplicaStatusDocument document(List<RightStatus> answered) {
        Instant now = settings.clock().instant();
        return new ReplicaStatusDocument(
                ReplicaStatusDocument.ownVersion(),
                OwnPodName.hostName(),
                now,
                readiness.isReady(),
                readiness.brief().strip(),
                policy.policies().reserve() ? Policy.Mode.AVAILABILITY : Policy.Mode.ALLOCATABLE,
                new PolicyStatus(digested, digest, enforcement(), refused, entries()),
                readiness.cluster().isPresent() && gate.decidesHere(),
                replication.map(ManagementStatusPage::sharing).orElse(null),
                watches.values().stream().map(watch -> watch(watch, now)).toList(),
                tls.map(this::certificate).orElse(null),
                answered,
                ledger(),
                LatencyStatus.of(durations.getValue()));
    }

    /** Computes the digest on a worker thread, because there may be many injection rules. */
    private Future<?> digest(Vertx vertx) {
        if (digested == policy.generation()) {
            return Future.succeededFuture();
        }
        ActivePolicy current = policy;
        return vertx.executeBlocking(() -> PolicyDigest.of(current), /* ordered= */ false)
                .onSuccess(made -> {
                    digest = made;
                    digested = current.generation();
                });
    }

    private String enforcement() {
        List<String> words = policy.policies()
                .all()
                .map(each -> each.enforcement().word())
                .distinct()
                .toList();
        return words.size() == 1 ? words.getFirst() : PolicyStatus.MIXED;
    }

    private List<String> entries() {
        return policy.policies().namespaces().keySet().stream()
                .map(NamespaceGlob::pattern)
                .toList();
    }

    private static SharingStatus sharing(ReplicationStatusMessage status) {
        return new SharingStatus(
                status.self().identity(),
                status.holder().map(Member::identity).orElse(null),
                status.inSync().stream().map(Member::identity).sorted().toList(),
                status.term(),
                status.entries(),
                status.lag().entrySet().stream()
                        .collect(Collectors.toMap(
                                behind -> behind.getKey().identity(), Map.Entry::getValue, Math::max, TreeMap::new)),
                status.takeovers());
    }

    private LedgerStatus ledger() {
        AuditDifference audit = statistics.auditDifference();
        return new LedgerStatus(
                statistics.pods(),
                statistics.assumed(),
                statistics.unplaced(),
                statistics.overcommitted(),
                new AuditStatus(audit.pods(), audit.nodes(), audit.places()));
    }

    private WatchStatus watch(WatchStatusMessage watch, Instant now) {
        boolean proved = !freshness.of(watch.kind()).equals(Instant.MIN);
        boolean limited = !freshness.limit().equals(FreshnessMessage.NO_LIMIT);
        return new WatchStatus(
                watch.kind().word(),
                watch.isSynced(),
                watch.isWithheld(),
                proved && !watch.isWithheld() ? freshness.age(watch.kind(), now).toSeconds() : null,
                limited ? freshness.limit().toSeconds() : null,
                emptyToNull(watch.problem()));
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private ServedCertificate certificate(ActiveTlsMessage served) {
        X509Certificate leaf = served.tls().identity().certificate();
        return new ServedCertificate(
                leaf.getNotBefore().toInstant(),
                served.notAfter(),
                CertifiedKey.pem(served.tls().identity().chain()),
                tlsProblems);
    }
}
