package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an existing pod that the ledger reads. Pods in a terminal phase never become one.
 *
 * @param name {@code namespace/name}
 * @param requests by the scheduler's arithmetic, and one of {@code pods}
 * @param stamp the value of the annotation {@link #STAMP}; empty without it
 * @param resourceVersion 0 where the source has none
 * @param created as the API server writes it, in seconds; empty where the source does not say it
 * @param priority how important it is to the scheduler
 */
public record Pod(
        PodId id,
        String name,
        Place place,
        Amounts requests,
        String stamp,
        long resourceVersion,
        String created,
        PodPriority priority) {

    public Pod(PodId id, String name, Place place, Amounts requests, String stamp, long resourceVersion) {
        this(id, name, place, requests, stamp, resourceVersion, "");
    }

    public Pod(
            PodId id, String name, Place place, Amounts requests, String stamp, long resourceVersion, String created) {
        this(id, name, place, requests, stamp, resourceVersion, created, PodPriority.NORMAL);
    }

    /** The annotation that identifies the pod of a decision. */
    public static final String STAMP = "gpu-webhook.k8s.io/decision";

    public String namespace() {
        return namespaceOf(name);
    }

    public static String namespaceOf(String name) {
        return name.substring(0, name.indexOf('/'));
    }

    /** Where a pod is bound, or may be. */
    public sealed interface Place {

        /** {@code spec.nodeName} is set; the pod holds its requests, also while it is terminating. */
        record Bound(String node) implements Place {}

        /**
         * The scheduler has to find a node.
         *
         * @param nominated {@code status.nominatedNodeName}, where pods are preempted for it; null without
         */
        record Unbound(
                NodeConstraints constraints, @Nullable String nominated) implements Place {}

        /** It has scheduling gates, so the scheduler ignores it. */
        record Gated() implements Place {}

        /**
         * The scheduler has to find a node, but the constraints are not evaluated
         * ({@link NodeConstraints#whyNotEvaluated}): the pod holds nothing, and counts as one without room.
         */
        record UnknownPlace() implements Place {}
    }
}
