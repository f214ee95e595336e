package dev.sluice.management;

import dev.sluice.api.ApiEventEncoder;
import java.util.Optional;

/**
 * States which replica makes the admission decisions, for the clients of the event stream.
 *
 * @param replica the name of this replica
 * @param decides true if this replica makes decisions itself
 * @param holder the name of the only replica that makes decisions; empty if it is unknown, or if all replicas decide
 */
record EventStreamReplica(String replica, boolean decides, Optional<String> holder) {

    String event() {
        return ApiEventEncoder.replica(Optional.of(replica), decides, holder);
    }

    /** Returns the event for clients that must not learn the names of pods in the namespace of the gateway. */
    String eventWithoutNames() {
        return ApiEventEncoder.replica(Optional.empty(), decides, Optional.empty());
    }

    EventStreamReplica decides(boolean now) {
        return new EventStreamReplica(replica, now, holder);
    }

    EventStreamReplica heldBy(Optional<String> newest) {
        return new EventStreamReplica(replica, decides, newest);
    }
}
