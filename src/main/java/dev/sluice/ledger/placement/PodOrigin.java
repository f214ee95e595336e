package dev.sluice.ledger.placement;

import dev.sluice.cluster.PodId;
import org.jspecify.annotations.Nullable;

/**
 * Who creates a pod, by the word of its author. It tells which earlier decisions are obsolete.
 *
 * @param name the pod's name; empty if the API server generates it
 * @param owner the uid of the controller; null without one
 */
public record PodOrigin(String name, @Nullable PodId owner, CreationStyle style) {

    /** How the controller creates its pods. */
    public enum CreationStyle {
        /** ReplicaSets, ReplicationControllers, DaemonSets and Jobs wait for the answers of a batch before the next. */
        IN_BATCHES,
        /** Nothing is known. */
        ANY
    }

    public static final PodOrigin UNKNOWN = any("", null);

    /** A pod of whose controller nothing is known. */
    public static PodOrigin any(String name, @Nullable PodId owner) {
        return new PodOrigin(name, owner, CreationStyle.ANY);
    }

    public static PodOrigin inBatches(String name, @Nullable PodId owner) {
        return new PodOrigin(name, owner, CreationStyle.IN_BATCHES);
    }

    public boolean isNamed() {
        return !name.isEmpty();
    }
}
