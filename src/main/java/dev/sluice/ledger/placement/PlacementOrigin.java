package dev.sluice.ledger.placement;

import dev.sluice.cluster.PodId;
import org.jspecify.annotations.Nullable;

/**
 * The name and the controller of a pod, from the pod's metadata. A new pod with the same name or controller can show
 * that an earlier pod was refused or deleted.
 *
 * @param name the pod's name; empty if the API server generates it
 * @param owner the uid of the controller; null if there is none
 */
public record PlacementOrigin(String name, @Nullable PodId owner, CreationStyle style) {

    /** The way in which a controller creates its pods. */
    public enum CreationStyle {
        /**
         * The controller waits for the answers to one batch of pods before it creates the next batch. This is how the
         * controllers of ReplicaSets, ReplicationControllers, DaemonSets and Jobs work.
         */
        IN_BATCHES,
        /** It is unknown how the controller creates pods. */
        ANY
    }

    public static final PlacementOrigin UNKNOWN = any("", null);

    /** Returns the origin of a pod whose controller is of an unknown kind. */
    public static PlacementOrigin any(String name, @Nullable PodId owner) {
        return new PlacementOrigin(name, owner, CreationStyle.ANY);
    }

    public static PlacementOrigin inBatches(String name, @Nullable PodId owner) {
        return new PlacementOrigin(name, owner, CreationStyle.IN_BATCHES);
    }

    public boolean isInBatches() {
        return style == CreationStyle.IN_BATCHES;
    }

    public boolean isNamed() {
        return !name.isEmpty();
    }
}
