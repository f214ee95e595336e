package dev.sluice.admission;

import dev.sluice.cluster.quantity.Amounts;
import java.util.List;

/**
 * The free capacity of each node, together with the pods that use the rest of the node's capacity. Explanations in
 * availability mode name these pods.
 */
public interface ExplanationOccupancy {

    /** Returns the free capacity that the decision used. */
    FreeCapacity free();

    /** Returns Allocatable − Allocated − Reserved of the node. An amount is negative if the node is overcommitted. */
    Amounts available(String node);

    /** Returns the pods on this node and the pending pods that are expected there, in any order. */
    List<PodOnNode> occupants(String node);

    /**
     * A pod on a node.
     *
     * @param pod the pod as {@code namespace/name}
     */
    record PodOnNode(String pod, PodBinding state, Amounts requests) {}

    /** Tells whether the scheduler has bound the pod to the node. */
    enum PodBinding {
        BOUND,
        /** The pod has a reservation on the node. The scheduler may still bind it to another node. */
        EXPECTED
    }
}
