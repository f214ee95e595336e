package dev.sluice.record.observe;

import dev.sluice.bus.DecisionGate;
import dev.sluice.bus.Topic;
import io.vertx.core.Vertx;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log when decisions begin, when they end, and what they wait for. To hold the lease is not enough to decide,
 * and while nothing is decided pods may pass as they were written.
 */
public final class GateLog {

    private static final Logger LOG = LoggerFactory.getLogger(GateLog.class);

    /** The last cause that was told; none before the first. */
    private String told = "none";

    GateLog() {}

    /** Logs from now on what the decision verticle publishes. */
    public static void listen(Vertx vertx) {
        Topic.DECISION_GATE.subscribe(vertx, new GateLog()::update);
    }

    /** Logs a line if this gate differs from the last by more than its numbers, which grow with every look. */
    void update(DecisionGate gate) {
        String cause = gate.blockedBy().replaceAll("[0-9]+ s old", "old");
        if (cause.equals(told)) {
            return;
        }
        told = cause;
        if (gate.now()) {
            LOG.atInfo().log("This gateway decides now");
        } else {
            LOG.atInfo().addKeyValue("why", gate.blockedBy()).log("This gateway does not decide now");
        }
    }
}
