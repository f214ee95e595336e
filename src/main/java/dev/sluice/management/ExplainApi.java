package dev.sluice.management;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.api.ApiAnswer;
import dev.sluice.bus.LedgerCopyReply;
import dev.sluice.bus.LedgerCopyReply.LedgerCopyQuestion;
import dev.sluice.bus.ReplicationStatus;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.doctor.ResourceFaults;
import dev.sluice.management.ManifestExplainer.ExplainBasis;
import dev.sluice.management.ManifestExplainer.ExplainQuestion;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what the gateway decides by, and explains manifests with it on a thread of its own, one after the other. So the
 * event loops of reviews do nothing for an explanation. Only the owner of the ledger copies it, at most once a second
 * and for at most a twentieth of its time. Only one event loop may use this class.
 */
final class ExplainApi {

    /** The time for which a copy of the ledger is used. A user does not notice a second. */
    private static final Duration SHORTEST_USE = Duration.ofSeconds(1);

    /** How many times as long as its making a copy of the ledger is used at least. */
    private static final int USE = 20;

    private final Vertx vertx;
    private final ManifestExplainer explainer;
    private final WorkerExecutor thread;
    private ActivePolicy policy;
    private Optional<ReplicationStatus> replication = Optional.empty();
    private ResourceFaults faults = ResourceFaults.NONE;
    private @Nullable Future<LedgerCopyReply> copy;
    private long copyIsUsedUntil;

    ExplainApi(Vertx vertx, ManifestExplainer explainer, ActivePolicy policy) {
        this.vertx = vertx;
        this.explainer = explainer;
        this.policy = policy;
        this.thread = vertx.createSharedWorkerExecutor("explain", 1);
    }

    void subscribe() {
        Topic.POLICIES.subscribe(vertx, active -> policy = active.limitedBy(policy.limitRanges()));
        Topic.LIMIT_RANGES.subscribe(vertx, newest -> policy = policy.limitedBy(newest));
        Topic.REPLICATION.subscribe(vertx, status -> replication = Optional.of(status));
        Topic.DIAGNOSES.subscribe(
                vertx,
                state -> faults = state instanceof DiagnosisState.Known known
                        ? known.report().faults()
                        : ResourceFaults.NONE);
    }

    /** Explains a manifest. The future fails if the owner of the ledger does not answer. */
    Future<ApiAnswer> explain(ExplainQuestion question, ClusterSnapshot cluster) {
        return basis(cluster)
                .compose(basis ->
                        thread.executeBlocking(() -> explainer.explain(question, basis), /* ordered= */ false));
    }

    private Future<ExplainBasis> basis(ClusterSnapshot cluster) {
        return policy.policies().reserve()
                ? copy().map(ledger ->
                        new ExplainBasis(policy, ledger.cluster(), Optional.of(ledger), replication, faults))
                : Future.succeededFuture(new ExplainBasis(policy, cluster, Optional.empty(), replication, faults));
    }

    private Future<LedgerCopyReply> copy() {
        Future<LedgerCopyReply> newest = copy;
        if (newest != null && (!newest.isComplete() || System.nanoTime() - copyIsUsedUntil < 0)) {
            return newest;
        }
        long begin = System.nanoTime();
        Future<LedgerCopyReply> asked = Service.LEDGER_COPY.ask(vertx, new LedgerCopyQuestion());
        copy = asked.onComplete(made -> {
            long now = System.nanoTime();
            long rest = made.succeeded() ? USE * (now - begin) : 0;
            copyIsUsedUntil = now + Math.max(SHORTEST_USE.toNanos(), rest);
        });
        return copy;
    }
}
