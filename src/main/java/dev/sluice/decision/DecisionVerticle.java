package dev.sluice.decision;

import dev.sluice.bus.Liveness;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.NodeLedger;
import dev.sluice.cluster.PodEvent;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/** Applies cluster events in their order and publishes a snapshot whenever a decision could come out differently. */
public final class DecisionVerticle extends VerticleBase {

    private final NodeLedger ledger = new NodeLedger();
    private boolean snapshotDue;

    @Override
    public Future<?> start() {
        Topic.CLUSTER_EVENTS.subscribe(vertx, this::apply);
        Liveness.answer(vertx, context);
        return Future.succeededFuture();
    }

    /** Events that wait together are answered by one snapshot: its cost grows with the cluster, theirs does not. */
    private void apply(ClusterEvent event) {
        boolean changed = switch (event) {
            case NodeEvent node -> ledger.apply(node);
            case PodEvent _ -> false;
        };
        if (changed && ledger.isSynced() && !snapshotDue) {
            snapshotDue = true;
            context.runOnContext(_ -> publish());
        }
    }

    private void publish() {
        snapshotDue = false;
        Topic.SNAPSHOTS.publish(vertx, ledger.snapshot());
    }
}
