package dev.sluice.ledger;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory that the constraints and resource names of all pods together take. The limit is needed because
 * users write these texts. Equal constraints are stored once.
 */
final class LedgerPodBudget {

    /**
     * The memory limit for all constraints, in bytes. It is enough for the constraints of 10,000 different pending
     * Deployments. There is a second limit of the same size for requests with unusually many resources.
     */
    static final long MOST_BYTES = 12L * 1024 * 1024;

    /**
     * The maximum number of entries in all large constraints together. An entry is, for example, a required label or a
     * toleration. When capacity becomes free on a node, comparing one entry with the node may take 50 ns. All entries
     * together then take about a millisecond.
     */
    static final long MOST_PARTS = 16_384;

    /**
     * The fraction of each limit that pods without a promise of capacity may use. A user can create any number of such
     * pods. If they could use the whole limit, no memory would be left for pods with a promise.
     */
    private static final double SHARE_OF_UNDECIDED = 0.75;

    /**
     * The maximum number of resource names in ordinary requests. Ordinary requests do not count for the memory limit,
     * because they share the objects of their names.
     */
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
     * Returns the object that all pods with equal constraints share; null if the memory limit is reached. When the pod
     * no longer needs the constraints, the caller releases them with {@link #giveBack}.
     *
     * @param promised true if capacity was promised to the pod, so that its constraints may use the whole limit
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
     * Returns the part of {@code requests} that the ledger counts for a pod. Usually, this is everything. If the
     * requests have unusually many resource names and the memory limit is reached, only the resources that
     * {@code matters} accepts are counted.
     *
     * @param before the part that was counted for the pod until now
     */
    Amounts count(Amounts requests, Amounts before, Predicate<ResourceName> matters) {
        unusualBytes -= unusual(before);
        long more = unusual(requests);
        Amounts counted = more > 0 && unusualBytes + more > MOST_BYTES ? requests.only(matters) : requests;
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
