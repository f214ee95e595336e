package dev.sluice.management;

import dev.sluice.api.CapacityHistoryDocuments;
import dev.sluice.api.CapacityHistoryDocuments.CapacitySample;
import dev.sluice.api.CapacityReport;
import dev.sluice.api.CapacityReport.ClusterUse;
import dev.sluice.api.DocumentResponse;
import dev.sluice.api.FleetNodeDocument;
import dev.sluice.api.HoldersDocument;
import dev.sluice.bus.ClusterUsageReply;
import dev.sluice.bus.ClusterUsageReply.UsageQuestion;
import dev.sluice.bus.Service;
import dev.sluice.bus.WatchStatusMessage.ObjectKind;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Answers requests about the devices that the nodes offer and how many of them are in use. Worker threads create the
 * answers, because the answers for a large cluster have several megabytes. Only one event loop may use it.
 */
final class CapacityApi {

    /**
     * The pause before the first sample of how many devices are in use. Each further pause is twice as long as the one
     * before, up to a minute.
     */
    private static final long FIRST_PAUSE_MILLIS = 1_000;

    private final Vertx vertx;
    private final Readiness readiness;
    private final InstantSource clock;
    private final ManagementLedgerCopies ledger;
    private final CapacityHistoryDocuments history = new CapacityHistoryDocuments();
    private final ManagementSharedAnswers<DocumentResponse> answers = new ManagementSharedAnswers<>(1);
    /**
     * The queue for requests of tenants. It is separate, so that tenants delay no other client. A tenant is a client
     * that may read about one namespace only.
     */
    private final ManagementSharedAnswers<DocumentResponse> ofTenants =
            new ManagementSharedAnswers<>(1, TenantRequestLimit.MOST_OF_ALL);

    CapacityApi(Vertx vertx, Readiness readiness, InstantSource clock, ManagementLedgerCopies ledger) {
        this.vertx = vertx;
        this.readiness = readiness;
        this.clock = clock;
        this.ledger = ledger;
    }

    /** Starts to record, at regular times, how many devices are in use. */
    void start() {
        sampleAfter(FIRST_PAUSE_MILLIS);
    }

    private void sampleAfter(long pause) {
        vertx.setTimer(pause, _ -> {
            sampleAfter(Math.min(2 * pause, CapacityHistoryDocuments.STEP.toMillis()));
            sample();
        });
    }

    private void sample() {
        if (readiness.cluster().isPresent()) {
            report().compose(report -> work(() -> CapacitySample.of(report, clock.instant())))
                    .onSuccess(history::add);
        }
    }

    /** Returns the report on all nodes. The future never fails, because a failure becomes an answer with an error. */
    Future<DocumentResponse> capacity() {
        return answer(
                answers, "capacity", () -> report().compose(report -> work(() -> DocumentResponse.capacity(report))));
    }

    /**
     * Returns how many devices were in use in the last hours and how many are in use now.
     *
     * @param isOfTenant true if the client may read about one namespace only
     */
    Future<DocumentResponse> history(boolean isOfTenant) {
        return answer(
                isOfTenant ? ofTenants : answers,
                "history",
                () -> report().compose(report -> {
                    List<CapacitySample> samples = new ArrayList<>(history.samples());
                    Instant now = clock.instant();
                    return work(() -> {
                        samples.add(CapacitySample.of(report, now));
                        return DocumentResponse.history(CapacityHistoryDocuments.document(samples));
                    });
                }));
    }

    /**
     * Returns for each device resource the namespaces that use most of it.
     *
     * @param tenant the only namespace whose name may be shown; empty if all names may be shown
     */
    Future<DocumentResponse> holders(Optional<String> tenant) {
        return answer(
                tenant.isPresent() ? ofTenants : answers,
                new HoldersFor(tenant),
                () -> ledger.newest().compose(copy -> {
                    boolean known = mayTellPods(copy.podsKnown());
                    Instant now = clock.instant();
                    return work(() -> DocumentResponse.holders(HoldersDocument.of(
                            List.copyOf(copy.cluster().nodesByName()), copy.pods(), known, now, tenant)));
                }));
    }

    /** Returns one node and the pods that have devices there. */
    Future<DocumentResponse> node(String name) {
        return answer(
                answers,
                new NodeOf(name),
                () -> ledger.newest().compose(copy -> {
                    boolean known = mayTellPods(copy.podsKnown());
                    return work(() -> copy.cluster().nodesByName().stream()
                            .filter(node -> node.name().equals(name))
                            .findFirst()
                            .map(node -> FleetNodeDocument.of(node, copy.pods(), known)
                                    .answer())
                            .orElseGet(() ->
                                    DocumentResponse.problem(404, "Not Found", "there is no node with this name")));
                }));
    }

    /** The key of requests for one node. Clients whose requests have equal keys share an answer. */
    private record NodeOf(String name) {}

    private record HoldersFor(Optional<String> tenant) {}

    /**
     * Returns the nodes and how much of their resources is in use. The future fails if the verticle that owns the
     * ledger does not answer.
     */
    Future<ClusterUsageReply> usage() {
        return Service.USAGE.ask(vertx, new UsageQuestion());
    }

    /**
     * Returns how much of the nodes' resources is in use. Returns {@code UseUnknown} if this replica does not know all
     * pods.
     */
    ClusterUse use(ClusterUsageReply usage) {
        return mayTellPods(usage.podsKnown())
                ? new ClusterUse.UseKnown(usage.byNode(), usage.unplaced())
                : new ClusterUse.UseUnknown();
    }

    private boolean mayTellPods(boolean areKnown) {
        return areKnown && !readiness.isWithheld(ObjectKind.PODS);
    }

    private Future<CapacityReport> report() {
        CapacityReport.LeftOut leftOut = new CapacityReport.LeftOut(
                readiness.unreadable(ObjectKind.NODES), readiness.unreadable(ObjectKind.PODS));
        return usage().compose(usage -> {
            ClusterUse taken = use(usage);
            return work(() -> CapacityReport.of(usage.cluster(), taken, CapacityReport.Selection.ALL)
                    .without(leftOut));
        });
    }

    private <T> Future<T> work(Callable<T> task) {
        return vertx.executeBlocking(task, /* ordered= */ false).map(made -> Objects.requireNonNull(made));
    }

    private Future<DocumentResponse> answer(
            ManagementSharedAnswers<DocumentResponse> queue,
            Object question,
            Supplier<Future<DocumentResponse>> maker) {
        return readiness.cluster().isEmpty()
                ? Future.succeededFuture(
                        DocumentResponse.problem(503, "Service Unavailable", "the cluster has not been listed yet"))
                : queue.ask(vertx, question, maker).otherwise(ManagementFailureAnswer::answer);
    }
}
