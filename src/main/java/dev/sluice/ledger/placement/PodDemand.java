package dev.sluice.ledger.placement;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import org.jspecify.annotations.Nullable;

/**
 * What a pod needs of its node. Pods with the same demand fit the same nodes.
 *
 * @param priority the priority by which the scheduler looks for a node
 * @param nominated the node on which the scheduler preempts other pods for this one; null if there is none
 */
public record PodDemand(
        Amounts need, NodeConstraints constraints, @Nullable String nominated, PodPriority priority) {

    /** A petabyte, or as many millicores: no node has so much, and sums of such amounts stay exact. */
    private static final long MOST = 1L << 50;

    public PodDemand {
        need = countable(need);
    }

    /** A negative request would count as free capacity. The API server refuses it, but only after the admission. */
    public static Amounts countable(Amounts requests) {
        return requests.within(0, MOST);
    }
}
