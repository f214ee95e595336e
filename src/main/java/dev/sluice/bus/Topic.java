package dev.sluice.bus;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.LimitRanges;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.ledger.LedgerStatistics;
import dev.sluice.record.BypassReport;
import dev.sluice.record.RecordBatch;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.List;
import java.util.function.Consumer;

/** An address on the event bus where messages of one type are published, in order, to every subscriber. */
public record Topic<T>(String address) {

    /** From the watcher to the owner of the ledger. */
    public static final Topic<ClusterEvent> CLUSTER_EVENTS = new Topic<>("cluster.events");

    /** From the owner of the ledger to those that decide or show the cluster. */
    public static final Topic<ClusterSnapshot> SNAPSHOTS = new Topic<>("cluster.snapshots");

    /** From the watcher to those that show the state of the gateway. */
    public static final Topic<WatchStatus> WATCH_STATUS = new Topic<>("watch.status");

    /** From the election to those that decide, in availability mode. */
    public static final Topic<LeaseState> LEASE_STATE = new Topic<>("lifecycle.leadership");

    /** From the owner of the ledger to the election, in availability mode. */
    public static final Topic<Fitness> FITNESS = new Topic<>("lifecycle.fitness");

    /** From the owner of the ledger to those that take reviews: whether reviews would be decided. */
    public static final Topic<DecisionGate> DECISION_GATE = new Topic<>("admission.deciding");

    /** From the owner of the ledger: how current it is. It is published after the snapshot that it is about. */
    public static final Topic<Freshness> FRESHNESS = new Topic<>("cluster.freshness");

    /** From the owner of the ledger to those that show it. */
    public static final Topic<LedgerStatistics> LEDGER_STATISTICS = new Topic<>("ledger.standing");

    /** From the reader of the configuration to those that decide: the policy from now on. */
    public static final Topic<ActivePolicy> POLICIES = new Topic<>("policy.active");

    /** From the watcher to those that decide. It is never published where the account may not list LimitRanges. */
    public static final Topic<LimitRanges> LIMIT_RANGES = new Topic<>("cluster.limitranges");

    /** From the reader of the configuration: it has become unusable, so that the policy stays as it is. */
    public static final Topic<PolicyRefused> POLICY_REFUSED = new Topic<>("policy.refused");

    /** Why a changed configuration cannot be used. */
    public record PolicyRefused(List<String> problems) {
        public PolicyRefused {
            problems = List.copyOf(problems);
        }
    }

    /** From the owner of the ledger: an event could not be applied, so that the cluster must be listed again. */
    public static final Topic<RelistRequested> RELIST_REQUESTS = new Topic<>("cluster.doubted");

    /** It is published once for each event that could not be applied. */
    public record RelistRequested() {}

    /** From the reader of the configuration: it has become usable again. */
    public static final Topic<PolicyRepaired> POLICY_REPAIRED = new Topic<>("policy.repaired");

    public record PolicyRepaired() {}

    /** From the reader of the TLS files to those that show them: what is served from now on. */
    public static final Topic<ActiveTls> TLS_ACTIVE = new Topic<>("tls.active");

    /** From the reader of the TLS files: they have changed, and this is what became of it. */
    public static final Topic<TlsReload> TLS_RELOADS = new Topic<>("tls.reloads");

    /**
     * From the gateways, after the answers have been written: what was decided. A subscriber that may be slow puts an
     * {@link Inbox} between.
     */
    public static final Topic<RecordBatch> DECISIONS = new Topic<>("admission.decisions");

    /** From those that are about to show what was decided, to the gateways: tell what you hold. */
    public static final Topic<RecordsWanted> RECORDS_WANTED = new Topic<>("admission.records");

    public record RecordsWanted() {}

    /** From the doctor, if the gateway has one, to those that show what is wrong with the cluster. */
    public static final Topic<DiagnosisState> DIAGNOSES = new Topic<>("cluster.diagnoses");

    /** In availability mode, to those that show which GPU pods nobody decided about. */
    public static final Topic<BypassReport> BYPASSES = new Topic<>("admission.bypassed");

    /** The process will end soon. Reviews are still served, until clients have heard that it is not ready any more. */
    public static final Topic<Leaving> LEAVING = new Topic<>("lifecycle.leaving");

    public record Leaving() {}

    /** The process is about to end, and nothing new should be begun. */
    public static final Topic<Stopping> STOPPING = new Topic<>("lifecycle.stopping");

    public record Stopping() {}

    private static final DeliveryOptions BY_REFERENCE =
            new DeliveryOptions().setLocalOnly(true).setCodecName(ByReference.NAME);

    /** Registers the codec; to be called once for each {@code vertx}, before anything is published. */
    public static void install(Vertx vertx) {
        vertx.eventBus().registerCodec(new ByReference());
    }

    public void publish(Vertx vertx, T message) {
        vertx.eventBus().publish(address, message, BY_REFERENCE);
    }

    /** The handler runs on the context of the caller. */
    @CanIgnoreReturnValue
    public MessageConsumer<T> subscribe(Vertx vertx, Consumer<T> handler) {
        return vertx.eventBus().localConsumer(address, message -> handler.accept(message.body()));
    }
}
