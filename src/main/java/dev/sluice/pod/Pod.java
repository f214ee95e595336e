package dev.sluice.pod;

import dev.sluice.quantity.Amounts;
import dev.sluice.scheduling.NodeConstraints;
import org.jspecify.annotations.Nullable;

/**
 * A pod that exists and has not ended, as far as the ledger reads it. Pods that succeeded or failed never become one.
 *
 * @param name {@code namespace/name}
 * @param place where it is, or waits to be
 * @param requests what it takes of its node by the scheduler's arithmetic, and one of {@code pods}
 * @param stamp the value of the annotation {@code gpu-webhook.k8s.io/decision}, empty without
 * @param resourceVersion orders the states of one pod; 0 when the source gives none
 */
public record Pod(PodId id, String name, Place place, Amounts requests, String stamp, long resourceVersion) {

    /** The annotation by which a pod is told to be the one that was decided. */
    public static final String STAMP = "gpu-webhook.k8s.io/decision";

    public String namespace() {
        return namespaceOf(name);
    }

    public static String namespaceOf(String name) {
        return name.substring(0, name.indexOf('/'));
    }

    /** Where a pod stands with the scheduler. */
    public sealed interface Place {

        /** {@code spec.nodeName} is set; terminating or not, it holds what it asked. */
        record Bound(String node) implements Place {}

        /**
         * The scheduler is to find a node.
         *
         * @param nominated {@code status.nominatedNodeName}: room is being made there; null without
         */
        record Unbound(
                NodeConstraints constraints, @Nullable String nominated) implements Place {}

        /** It has scheduling gates: nobody looks for a node yet. */
        record Gated() implements Place {}

        /**
         * The scheduler is to find a node, but where it may look goes beyond what is evaluated here
         * ({@link NodeConstraints#whyNotEvaluated}): it holds nothing, like a gated one, and is counted as a pod for
         * which there is no room.
         */
        record UnknownPlace() implements Place {}
    }
}
