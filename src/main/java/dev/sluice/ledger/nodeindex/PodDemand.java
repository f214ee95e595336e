package dev.sluice.ledger.nodeindex;

import dev.sluice.quantity.Amounts;
import dev.sluice.scheduling.NodeConstraints;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of one node. Pods that demand the same fit the same nodes.
 *
 * @param nominated the node on which the scheduler is making room for this very pod; null without
 */
public record PodDemand(
        Amounts need, NodeConstraints constraints, @Nullable String nominated) {

    /** A petabyte, or as many thousandths of a processor: no node has it, and sums of such amounts stay exact. */
    private static final long MOST = 1L << 50;

    public PodDemand {
        need = countable(need);
    }

    /** Less than nothing would be room for others; the API server takes no such pod, but only after it has asked us. */
    public static Amounts countable(Amounts requests) {
        return requests.within(0, MOST);
    }
}
