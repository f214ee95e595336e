package dev.sluice.ledger.placement;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;

/**
 * A request to reserve resources for the pod of a decision.
 *
 * @param stamp the annotation that identifies the pod when the watch shows it
 * @param need the resources that the pod will use on its node
 * @param promised true if some node had enough capacity for the pod when the decision was made
 * @param priority the priority of the pod, which also says whether the pod may preempt others
 */
public record PlacementRequest(
        String stamp,
        String namespace,
        Amounts need,
        NodeConstraints constraints,
        boolean promised,
        PlacementOrigin origin,
        PodPriority priority) {

    /** Creates a request for a pod of normal priority whose name and owner are unknown. */
    public PlacementRequest(
            String stamp, String namespace, Amounts need, NodeConstraints constraints, boolean promised) {
        this(stamp, namespace, need, constraints, promised, PlacementOrigin.UNKNOWN, PodPriority.NORMAL);
    }
}
