package dev.sluice.ledger.placement;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import org.jspecify.annotations.Nullable;

/**
 * The requirements that a node must meet for a pod: resources, as kube-scheduler counts them, and constraints. Pods
 * with equal demands fit on the same nodes.
 *
 * @param priority the priority with which the scheduler looks for a node
 * @param nominated the node on which the scheduler is preempting other pods for this pod; null if there is none
 */
public record PlacementDemand(
        Amounts need, NodeConstraints constraints, @Nullable String nominated, PodPriority priority) {

    /**
     * The largest amount that is counted: 2^50, which is 1 PiB of memory. No node has more of any resource, and the sum
     * of thousands of such amounts does not overflow a {@code long}.
     */
    private static final long MOST = 1L << 50;

    public PlacementDemand {
        need = countable(need).only(name -> !name.isManagedByExtender());
    }

    /** Returns a copy of this demand for a pod that does not preempt other pods. */
    PlacementDemand withoutPreemption() {
        return new PlacementDemand(need, constraints, nominated, priority.withoutPreemption());
    }

    /**
     * Limits each amount to the range from 0 to {@link #MOST}. Otherwise a negative request would count as free
     * capacity. The API server refuses a pod with a negative request, but only after the webhook has decided about it.
     */
    public static Amounts countable(Amounts requests) {
        return requests.within(0, MOST);
    }
}
