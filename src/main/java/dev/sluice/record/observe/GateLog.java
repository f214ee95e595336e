package dev.sluice.record.observe;

import dev.sluice.bus.DecisionGate;
import dev.sluice.bus.Topic;
import io.vertx.core.Vertx;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when decisions begin, when they end, and what they wait for. Holding the lease is not enough to decide, and
 * while nothing is decided pods may be created as they were written.
 */
public final class GateLog {

    private static final Logger LOG = LoggerFactory.getLogger(GateLog.class);

    /** The last cause that was logged. */
    private String lastLogged = "none";

    GateLog() {}

    /** Begins to log the decision gate that the decision verticle publishes. */
    public static void listen(Vertx vertx) {
        Topic.DECISION_GATE.subscribe(vertx, new GateLog()::update);
    }

    /**
     * Logs a line if this gate differs from the last one. Ages in seconds are ignored, because they grow with every
     * update.
     */
    void update(DecisionGate gate) {
        String cause = gate.blockedBy().replaceAll("[0-9]+ s old", "old");
        if (cause.equals(lastLogged)) {
            return;
        }
        lastLogged = cause;
        if (gate.now()) {
            LOG.atInfo().log("this gateway decides now");
        } else {
            LOG.atInfo().addKeyValue("why", gate.blockedBy()).log("this gateway does not decide now");
        }
    }
}
