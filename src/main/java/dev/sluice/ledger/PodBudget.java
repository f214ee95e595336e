package dev.sluice.ledger;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what all pods together take of the ledger by what their authors write into them; what one pod takes is bounded
 * when it is read. Equal constraints are held once.
 */
final class PodBudget {

    /**
     * The limit for constraints, and for unusual requests; both are an eighth of the heap. The constraints of 10,000
     * different deployments that wait at the same time fit.
     */
    static final long MOST_BYTES = 12L * 1024 * 1024;

    /**
     * Entries of all constraints that have many. When capacity becomes free on a node, each entry may be compared with
     * it in some 50 ns, so that such an event takes about a millisecond at most.
     */
    static final long MOST_PARTS = 16_384;

    /**
     * A quarter is kept for pods that were promised room. A tenant can create any number of pending pods without a
     * decision; if these took everything, others would lose what was promised when their pods are seen.
     */
    private static final double SHARE_OF_UNDECIDED = 0.75;

    /** Ordinary pods request fewer resources, under names that many share; these are not counted here. */
    private static final int USUAL_NAMES = 16;

    private static final class Kept {
        private final NodeConstraints constraints;
        private int pods;

        Kept(NodeConstraints constraints) {
            this.constraints = constraints;
        }
    }

    private final Map<NodeConstraints, Kept> waiting = new HashMap<>();
    private long bytes;
    private long parts;
    private long unusualBytes;

    /**
     * The one object for equal constraints, to be given back; null if there is no memory for more.
     *
     * @param promised something was promised to the pod
     */
    @Nullable
    NodeConstraints take(NodeConstraints constraints, boolean promised) {
        Kept kept = waiting.get(constraints);
        if (kept == null) {
            double share = promised ? 1 : SHARE_OF_UNDECIDED;
            if (bytes + constraints.weight() > share * MOST_BYTES
                    || parts + partsOf(constraints) > share * MOST_PARTS) {
                return null;
            }
            kept = new Kept(constraints);
            waiting.put(constraints, kept);
            bytes += constraints.weight();
            parts += partsOf(constraints);
        }
        kept.pods++;
        return kept.constraints;
    }

    void giveBack(NodeConstraints constraints) {
        Kept kept = waiting.get(constraints);
        if (kept != null && --kept.pods == 0) {
            waiting.remove(constraints);
            bytes -= constraints.weight();
            parts -= partsOf(constraints);
        }
    }

    /**
     * The part of {@code requests} that counts, in place of {@code before}: all, while there is memory. After that it
     * is only what {@code matters}, for a pod that requests unusually many resources.
     */
    Amounts count(Amounts requests, Amounts before, Predicate<ResourceName> matters) {
        unusualBytes -= unusual(before);
        Amounts counted = unusualBytes + unusual(requests) > MOST_BYTES ? requests.only(matters) : requests;
        unusualBytes += unusual(counted);
        return counted;
    }

    private static long partsOf(NodeConstraints constraints) {
        return constraints.areMany() ? constraints.parts() : 0;
    }

    private static long unusual(Amounts requests) {
        return requests.size() > USUAL_NAMES ? requests.weight() : 0;
    }
}
