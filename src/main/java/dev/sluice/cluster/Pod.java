package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an existing pod that the ledger reads. A pod in a terminal phase has no object of this class.
 *
 * @param name {@code namespace/name}
 * @param requests the requests as the scheduler calculates them, including one unit of the resource {@code pods}
 * @param stamp the value of the annotation {@link #STAMP}; empty if the pod does not have it
 * @param resourceVersion 0 if the source does not have it
 * @param created the creation time as the API server writes it, in seconds; empty if the source does not have it
 * @param isDevicePlugin true if the pod belongs to a DaemonSet that is a device plugin for GPUs
 */
public record Pod(
        PodId id,
        String name,
        Place place,
        Amounts requests,
        String stamp,
        long resourceVersion,
        String created,
        PodPriority priority,
        boolean isDevicePlugin) {

    public Pod(PodId id, String name, Place place, Amounts requests, String stamp, long resourceVersion) {
        this(id, name, place, requests, stamp, resourceVersion, "");
    }

    public Pod(
            PodId id, String name, Place place, Amounts requests, String stamp, long resourceVersion, String created) {
        this(id, name, place, requests, stamp, resourceVersion, created, PodPriority.NORMAL);
    }

    public Pod(
            PodId id,
            String name,
            Place place,
            Amounts requests,
            String stamp,
            long resourceVersion,
            String created,
            PodPriority priority) {
        this(id, name, place, requests, stamp, resourceVersion, created, priority, /* isDevicePlugin= */ false);
    }

    /** The annotation with the UUID by which the gateway finds the decision about the pod. */
    public static final String STAMP = "gpu-webhook.k8s.io/decision";

    public String namespace() {
        return namespaceOf(name);
    }

    public static String namespaceOf(String name) {
        return name.substring(0, name.indexOf('/'));
    }

    /** The node on which a pod runs, or the nodes on which it may run. */
    public sealed interface Place {

        /** The pod has a {@code spec.nodeName}. It uses its requests on that node, even while it is terminating. */
        record Bound(String node) implements Place {}

        /**
         * The scheduler has to find a node for the pod.
         *
         * @param nominated the {@code status.nominatedNodeName}, a node on which other pods are preempted for this pod;
         *     null if there is none
         */
        record Unbound(
                NodeConstraints constraints, @Nullable String nominated) implements Place {}

        /** The pod has scheduling gates, so the scheduler ignores it. */
        record Gated() implements Place {}

        /**
         * The scheduler has to find a node, but the gateway does not evaluate the constraints of the pod
         * ({@link NodeConstraints#whyNotEvaluated}). The gateway reserves no resources for the pod. It counts the pod
         * among the pods for which no node has enough capacity.
         */
        record UnknownPlace() implements Place {}
    }
}
