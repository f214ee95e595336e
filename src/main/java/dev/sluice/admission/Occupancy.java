package dev.sluice.admission;

import dev.sluice.cluster.quantity.Amounts;
import java.util.List;

/** The free capacity of each node, and the pods that have the rest. Availability mode is explained by it. */
public interface Occupancy extends FreeCapacity {

    /** Allocatable − Allocated − Reserved; below 0 if the cluster itself has overcommitted the node. */
    Amounts available(String node);

    /** The pods on this node, and the pending pods that are expected there, in no order. */
    List<PodOnNode> occupants(String node);

    /**
     * A pod on a node.
     *
     * @param pod {@code namespace/name}
     */
    record PodOnNode(String pod, PodBinding state, Amounts requests) {}

    /** Whether the scheduler has bound the pod. */
    enum PodBinding {
        BOUND,
        /** The pod has a reservation here, but the scheduler may still bind it to another node. */
        EXPECTED
    }
}
