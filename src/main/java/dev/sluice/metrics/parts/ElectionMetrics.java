package dev.sluice.metrics.parts;

import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import io.vertx.core.Vertx;

/**
 * Shows whether this process holds the Lease of availability mode, and whether it makes decisions. A new holder makes
 * no decisions until it has seen the pods that the former holder admitted. It is not thread-safe.
 */
public final class ElectionMetrics implements PartMetrics {

    private final MetricFamilies families = new MetricFamilies();
    private LeaseStateMessage lease = new LeaseStateMessage.Standby("");
    private DecisionGateMessage gate = new DecisionGateMessage("nothing is decided in availability mode yet");

    public ElectionMetrics() {
        families.show(MetricName.LEASE_HELD, () -> lease instanceof LeaseStateMessage.Leading ? 1 : 0);
        families.show(MetricName.DECIDING, () -> gate.decidesHere() ? 1 : 0);
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
        Topic.LEASE_STATE.subscribe(vertx, this::update);
        Topic.DECISION_GATE.subscribe(vertx, this::update);
    }

    void update(LeaseStateMessage newest) {
        lease = newest;
    }

    void update(DecisionGateMessage newest) {
        gate = newest;
    }
}
