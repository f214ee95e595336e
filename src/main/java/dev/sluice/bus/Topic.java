package dev.sluice.bus;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.LimitRanges;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.ledger.LedgerStatistics;
import dev.sluice.record.BypassCounts;
import dev.sluice.record.ReviewRecordBatch;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicationEnvelope;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.List;
import java.util.function.Consumer;

/** A topic on the event bus: an address where messages of one type are published, in order, to every subscriber. */
public record Topic<T>(String address) {

    /** The watches publish changes of the cluster for the owner of the ledger. */
    public static final Topic<ClusterEvent> CLUSTER_EVENTS = new Topic<>("cluster.events");

    /** The owner of the ledger publishes snapshots for the verticles that decide or show the cluster. */
    public static final Topic<ClusterSnapshot> SNAPSHOTS = new Topic<>("cluster.snapshots");

    /**
     * The watches publish the state of DRA for the owner of the ledger. Before the first message, the cluster is
     * treated as a cluster without DRA.
     */
    public static final Topic<DraState> DRA = new Topic<>("cluster.dra");

    /** The watches publish their status for the verticles that show the state of the gateway. */
    public static final Topic<WatchStatusMessage> WATCH_STATUS = new Topic<>("watch.status");

    /**
     * In availability mode, the owner of the ledger publishes the state of the Lease for the verticles that show it.
     */
    public static final Topic<LeaseStateMessage> LEASE_STATE = new Topic<>("lifecycle.leadership");

    /** The owner of the ledger publishes whether gateways can answer reviews now. */
    public static final Topic<DecisionGateMessage> DECISION_GATE = new Topic<>("admission.deciding");

    /**
     * The owner of the ledger publishes the time up to which all changes of the cluster are known. It always publishes
     * the snapshot with these changes first.
     */
    public static final Topic<FreshnessMessage> FRESHNESS = new Topic<>("cluster.freshness");

    /** The owner of the ledger publishes its statistics for the parts that show them. */
    public static final Topic<LedgerStatistics> LEDGER_STATISTICS = new Topic<>("ledger.standing");

    /** The policy verticle publishes each new policy. */
    public static final Topic<ActivePolicy> POLICIES = new Topic<>("policy.active");

    /**
     * The watch of LimitRanges publishes them for the verticles that decide. Nothing is published if the service
     * account may not list LimitRanges.
     */
    public static final Topic<LimitRanges> LIMIT_RANGES = new Topic<>("cluster.limitranges");

    /**
     * The policy verticle publishes that the changed configuration files are invalid. The previous policy stays in use.
     */
    public static final Topic<PolicyRefused> POLICY_REFUSED = new Topic<>("policy.refused");

    /** The reasons why a changed configuration cannot be used. */
    public record PolicyRefused(List<String> problems) {
        public PolicyRefused {
            problems = List.copyOf(problems);
        }
    }

    /**
     * The owner of the ledger requests new lists of the cluster, because it could not apply an event of a watch or a
     * decision of another replica.
     */
    public static final Topic<RelistRequested> RELIST_REQUESTS = new Topic<>("cluster.doubted");

    /** Requests that the watches list the cluster again, because the ledger may be wrong. */
    public record RelistRequested() {}

    /** The policy verticle publishes that the configuration files are valid again. */
    public static final Topic<PolicyRepaired> POLICY_REPAIRED = new Topic<>("policy.repaired");

    public record PolicyRepaired() {}

    /** The certificate verticle publishes each new certificate. */
    public static final Topic<ActiveTlsMessage> TLS_ACTIVE = new Topic<>("tls.active");

    /**
     * The certificate that this replica presents to other replicas. It is published at the start and after each change,
     * but only if the gateway shares reservations.
     */
    public static final Topic<ActiveTlsMessage> PEER_TLS_ACTIVE = new Topic<>("tls.active.peers");

    /** The certificate verticle publishes the result of each attempt to replace the certificate. */
    public static final Topic<TlsReloadMessage> TLS_RELOADS = new Topic<>("tls.reloads");

    /**
     * The gateways publish records of decisions after the answers have been written. A subscriber that may be slow must
     * use a {@link BusMessageQueue}.
     */
    public static final Topic<ReviewRecordBatch> DECISIONS = new Topic<>("admission.decisions");

    /**
     * A verticle that is about to show decisions to people asks the gateway verticles to publish the records that they
     * have collected.
     */
    public static final Topic<RecordsWanted> RECORDS_WANTED = new Topic<>("admission.records");

    public record RecordsWanted() {}

    /** The doctor's verticle publishes its diagnoses of the cluster, if diagnoses are turned on. */
    public static final Topic<DiagnosisState> DIAGNOSES = new Topic<>("cluster.diagnoses");

    /**
     * The bypass verticle publishes counts of the GPU pods that exist although no gateway decided about them. It runs
     * only in availability mode.
     */
    public static final Topic<BypassCounts> BYPASSES = new Topic<>("admission.bypassed");

    /** The owner of the ledger publishes messages for other replicas, and the peer verticle sends them. */
    public static final Topic<OutboxMessage> PEER_OUTBOX = new Topic<>("peers.outbox");

    /** The peer verticle publishes the messages of other replicas for the owner of the ledger. */
    public static final Topic<ReplicationEnvelope<ReplicatedDecision>> PEER_INBOX = new Topic<>("peers.inbox");

    /**
     * In availability mode, the owner of the ledger publishes which replica decides, and which replicas have all
     * decisions.
     */
    public static final Topic<ReplicationStatusMessage> REPLICATION = new Topic<>("lifecycle.replication");

    /**
     * A gateway publishes that another replica has refused a forwarded review, because that replica does not decide.
     * The owner of the ledger then reads the Lease to find the replica that decides.
     */
    public static final Topic<HolderRefused> HOLDER_REFUSED = new Topic<>("lifecycle.refused");

    public record HolderRefused(Member named) {}

    /**
     * The process publishes that it will end soon. It still answers reviews, until clients have noticed that it is no
     * longer ready.
     */
    public static final Topic<Leaving> LEAVING = new Topic<>("lifecycle.leaving");

    public record Leaving() {}

    /** The process publishes that it is about to end, and that no new work may begin. */
    public static final Topic<Stopping> STOPPING = new Topic<>("lifecycle.stopping");

    public record Stopping() {}

    private static final DeliveryOptions BY_REFERENCE =
            new DeliveryOptions().setLocalOnly(true).setCodecName(ByReferenceMessageCodec.NAME);

    /**
     * Registers the codec of all messages. This method must be called once for each {@code vertx}, before anything is
     * published.
     */
    public static void install(Vertx vertx) {
        vertx.eventBus().registerCodec(new ByReferenceMessageCodec());
    }

    public void publish(Vertx vertx, T message) {
        vertx.eventBus().publish(address, message, BY_REFERENCE);
    }

    /** Subscribes a handler, which runs on the context of the caller. */
    @CanIgnoreReturnValue
    public MessageConsumer<T> subscribe(Vertx vertx, Consumer<T> handler) {
        return vertx.eventBus().localConsumer(address, message -> handler.accept(message.body()));
    }
}
