package dev.sluice.bus;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.bus.message.DecisionGate;
import dev.sluice.bus.message.Fitness;
import dev.sluice.bus.message.Freshness;
import dev.sluice.bus.message.LeaseState;
import dev.sluice.bus.message.WatchStatus;
import dev.sluice.event.ClusterEvent;
import dev.sluice.ledger.LedgerStatistics;
import dev.sluice.policy.ActivePolicy;
import dev.sluice.snapshot.ClusterSnapshot;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.List;
import java.util.function.Consumer;

/** An address on the event bus and the one type of message that is published there, in order, to every subscriber. */
public record Topic<T>(String address) {

    /** From the watcher to the owner of the ledger. */
    public static final Topic<ClusterEvent> CLUSTER_EVENTS = new Topic<>("cluster.events");

    /** From the owner of the ledger to whoever decides or shows. */
    public static final Topic<ClusterSnapshot> SNAPSHOTS = new Topic<>("cluster.snapshots");

    /** From the watcher to whoever tells how the gateway is. */
    public static final Topic<WatchStatus> WATCH_STATUS = new Topic<>("watch.status");

    /** From the election to whoever decides in availability mode; silent where nobody does. */
    public static final Topic<LeaseState> LEASE_STATE = new Topic<>("lifecycle.leadership");

    /** From the owner of the ledger to the election, in availability mode. */
    public static final Topic<Fitness> FITNESS = new Topic<>("lifecycle.fitness");

    /** From the owner of the ledger to whoever takes reviews: whether they would be decided. */
    public static final Topic<DecisionGate> DECISION_GATE = new Topic<>("admission.deciding");

    /** From the owner of the ledger to whoever decides or shows: how current it is; after the snapshot it speaks of. */
    public static final Topic<Freshness> FRESHNESS = new Topic<>("cluster.freshness");

    /** From the owner of the ledger to whoever shows how it stands. */
    public static final Topic<LedgerStatistics> LEDGER_STATISTICS = new Topic<>("ledger.standing");

    /** From whoever reads the configuration to whoever decides: what holds from now on. */
    public static final Topic<ActivePolicy> POLICIES = new Topic<>("policy.active");

    /** From whoever reads the configuration: what it says now cannot be used, so the policy stays as it is. */
    public static final Topic<PolicyRefused> POLICY_REFUSED = new Topic<>("policy.refused");

    /** Why a changed configuration is not taken over. */
    public record PolicyRefused(List<String> problems) {
        public PolicyRefused {
            problems = List.copyOf(problems);
        }
    }

    /** From the owner of the ledger: an event could not be counted, so what is known of the cluster is in doubt. */
    public static final Topic<RelistRequested> RELIST_REQUESTS = new Topic<>("cluster.doubted");

    /** Each stands for one event. */
    public record RelistRequested() {}

    /** From whoever reads the configuration: after it could not be used, it can be again. */
    public static final Topic<PolicyRepaired> POLICY_REPAIRED = new Topic<>("policy.repaired");

    /** The one thing there is to say about it. */
    public record PolicyRepaired() {}

    /** The process is about to end: be ready for nothing new. */
    public static final Topic<Stopping> STOPPING = new Topic<>("lifecycle.stopping");

    /** The one thing there is to say about it. */
    public record Stopping() {}

    private static final DeliveryOptions BY_REFERENCE =
            new DeliveryOptions().setLocalOnly(true).setCodecName(ByReference.NAME);

    /** Teaches the bus to hand over the messages themselves; once per {@code vertx}, before anything is published. */
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
