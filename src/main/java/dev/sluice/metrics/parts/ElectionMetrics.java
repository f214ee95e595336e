package dev.sluice.metrics.parts;

import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Shows whether this replica holds the Lease, whether it decides, and how far the other replicas lag behind in the
 * replication. In availability mode, one replica decides for all. If a replica gets the Lease before it is in sync, it
 * makes no decisions until it knows the pods that the former holder admitted. This class is not thread-safe.
 */
final class ElectionMetrics implements PartMetrics {

    private static final double MILLIS_PER_SECOND = 1e3;

    private final MetricFamilies families = new MetricFamilies();
    private Optional<ReplicationStatusMessage> replication = Optional.empty();
    private DecisionGateMessage gate = new DecisionGateMessage("nothing is decided in availability mode yet");

    ElectionMetrics() {
        show(MetricName.LEASE_HELD, status -> status.isLeading() ? 1 : 0);
        families.show(MetricName.DECIDING, () -> gate.decidesHere() ? 1 : 0);
        show(MetricName.REPLICATION_IN_SYNC, status -> status.inSync().size());
        show(MetricName.REPLICATION_TERM, ReplicationStatusMessage::term);
        show(MetricName.REPLICATION_LAG, ElectionMetrics::largestLag);
        show(MetricName.REPLICATION_ENTRIES, ReplicationStatusMessage::entries);
        show(MetricName.REPLICATION_TAKEOVERS, ReplicationStatusMessage::takeovers);
        show(
                MetricName.REPLICATION_LAST_TAKEOVER,
                status -> status.lastTakeover().toMillis() / MILLIS_PER_SECOND);
        show(MetricName.REPLICATION_REFUSED_JOINS, ReplicationStatusMessage::refusedJoins);
    }

    /** Adds a gauge. It is 0 before the first status, and always in allocatable mode, which replicates nothing. */
    private void show(MetricName name, ToDoubleFunction<ReplicationStatusMessage> value) {
        families.show(name, () -> replication.map(value::applyAsDouble).orElse(0.0));
    }

    private static double largestLag(ReplicationStatusMessage status) {
        return status.lag().values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    @Override
    public String part() {
        return "election";
    }

    @Override
    public MetricFamilies families() {
        return families;
    }

    @Override
    public void listen(Vertx vertx) {
        Topic.REPLICATION.subscribe(vertx, this::update);
        Topic.DECISION_GATE.subscribe(vertx, this::update);
    }

    void update(ReplicationStatusMessage newest) {
        replication = Optional.of(newest);
    }

    void update(DecisionGateMessage newest) {
        gate = newest;
    }
}
