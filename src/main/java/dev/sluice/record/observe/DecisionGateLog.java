package dev.sluice.record.observe;

import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.Topic;
import io.vertx.core.Vertx;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when this process begins or stops making decisions, and what it waits for. The Lease alone does not show whether
 * this process makes decisions, because a holder of the Lease may still wait for the state of the cluster. Pods that
 * are created during this wait are not changed.
 */
public final class DecisionGateLog {

    private static final Logger LOG = LoggerFactory.getLogger(DecisionGateLog.class);

    /** The state in the last line that was logged: why this process does not decide, or that it decides. */
    private String lastLogged = "none";

    DecisionGateLog() {}

    /** Begins to log whether this process makes decisions. The decision verticle publishes this state. */
    public static void listen(Vertx vertx) {
        Topic.DECISION_GATE.subscribe(vertx, new DecisionGateLog()::update);
    }

    /** Logs a line if the state has changed since the last line. A different age in seconds is not a change. */
    void update(DecisionGateMessage gate) {
        String cause = gate.now() && !gate.decidesHere()
                ? "elsewhere"
                : gate.blockedBy().replaceAll("[0-9]+ s old", "old");
        if (cause.equals(lastLogged)) {
            return;
        }
        lastLogged = cause;
        if (gate.decidesHere()) {
            LOG.atInfo().log("this gateway decides now");
        } else if (gate.now()) {
            LOG.atInfo().log("this gateway forwards reviews to the replica that decides");
        } else {
            LOG.atInfo().addKeyValue("why", gate.blockedBy()).log("this gateway does not decide now");
        }
    }
}
