package dev.sluice.ledger.placement;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;

/**
 * A decision for one pod, to be reserved.
 *
 * @param stamp the annotation that identifies the pod when it is seen
 * @param need what the pod will take of its node
 * @param promised whether some node had room for the pod when it was decided
 * @param priority with which it may preempt others; a policy can switch that off
 */
public record AssumeRequest(
        String stamp,
        String namespace,
        Amounts need,
        NodeConstraints constraints,
        boolean promised,
        PodOrigin origin,
        PodPriority priority) {

    /** A decision for a usual pod of which neither the name nor an owner is known. */
    public AssumeRequest(String stamp, String namespace, Amounts need, NodeConstraints constraints, boolean promised) {
        this(stamp, namespace, need, constraints, promised, PodOrigin.UNKNOWN, PodPriority.NORMAL);
    }
}
