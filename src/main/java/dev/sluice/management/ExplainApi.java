package dev.sluice.management;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.api.DocumentResponse;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.doctor.ResourceFaults;
import dev.sluice.management.ManagementManifestExplainer.ExplainBasis;
import dev.sluice.management.ManagementManifestExplainer.ExplainQuestion;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.Optional;

/**
 * Explains manifests with the policy and the cluster state that the gateway uses for decisions. A separate thread
 * creates one explanation at a time, so that the event loops that handle reviews are not delayed. Copies of the ledger
 * come from the verticle that owns it ({@link ManagementLedgerCopies}). Only one event loop may use this class.
 */
final class ExplainApi {

    private final Vertx vertx;
    private final ManagementManifestExplainer explainer;
    private final ManagementLedgerCopies ledger;
    private final WorkerExecutor thread;
    private ActivePolicy policy;
    private Optional<ReplicationStatusMessage> replication = Optional.empty();
    private ResourceFaults faults = ResourceFaults.NONE;

    ExplainApi(Vertx vertx, ManagementManifestExplainer explainer, ActivePolicy policy, ManagementLedgerCopies ledger) {
        this.vertx = vertx;
        this.ledger = ledger;
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

    /** Explains a manifest. The future fails if the verticle that owns the ledger does not answer. */
    Future<DocumentResponse> explain(ExplainQuestion question, ClusterSnapshot cluster) {
        return basis(cluster)
                .compose(basis ->
                        thread.executeBlocking(() -> explainer.explain(question, basis), /* ordered= */ false));
    }

    private Future<ExplainBasis> basis(ClusterSnapshot cluster) {
        return policy.policies().reserve()
                ? ledger.newest()
                        .map(copy -> new ExplainBasis(policy, copy.cluster(), Optional.of(copy), replication, faults))
                : Future.succeededFuture(new ExplainBasis(policy, cluster, Optional.empty(), replication, faults));
    }
}
