package dev.sluice.record.observe;

import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.ReplicationStatus;
import dev.sluice.bus.Topic;
import dev.sluice.replication.Member;
import io.vertx.core.Vertx;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when this process begins or stops having reviews decided, by itself or by the replica that holds the Lease, and
 * what it waits for. The Lease alone does not show this, because a holder of the Lease may still wait for the state of
 * the cluster. Pods that are created in the meantime are not changed.
 */
public final class DecisionGateLog {

    private static final Logger LOG = LoggerFactory.getLogger(DecisionGateLog.class);

    /** The state in the last line that was logged. */
    private String lastLogged = "none";

    private DecisionGateMessage gate = new DecisionGateMessage("nothing is known yet");
    private Optional<ReplicationStatus> replication = Optional.empty();

    DecisionGateLog() {}

    /** Begins to log the states of the decision gate, which the decision verticle publishes. */
    public static void listen(Vertx vertx) {
        DecisionGateLog log = new DecisionGateLog();
        Topic.REPLICATION.subscribe(vertx, log::update);
        Topic.DECISION_GATE.subscribe(vertx, log::update);
    }

    void update(ReplicationStatus newest) {
        boolean first = replication.isEmpty();
        replication = Optional.of(newest);
        if (!first) {
            log();
        }
    }

    void update(DecisionGateMessage newest) {
        gate = newest;
        log();
    }

    /**
     * Logs a line if this state differs from the last one. Ages in seconds are ignored, because they differ in every
     * state.
     */
    private void log() {
        String holder = replication
                .filter(status -> !status.isLeading())
                .flatMap(ReplicationStatus::holder)
                .map(Member::identity)
                .orElse("");
        String state = gate.now() ? "holder " + holder : gate.blockedBy().replaceAll("[0-9]+ s old", "old");
        if (state.equals(lastLogged)) {
            return;
        }
        lastLogged = state;
        if (!gate.now()) {
            LOG.atInfo().addKeyValue("why", gate.blockedBy()).log("this gateway does not decide now");
        } else if (holder.isEmpty()) {
            LOG.atInfo().log("this gateway decides now");
        } else {
            LOG.atInfo().addKeyValue("holder", holder).log("another gateway decides now; reviews are forwarded to it");
        }
    }
}
