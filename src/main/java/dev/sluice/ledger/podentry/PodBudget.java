package dev.sluice.ledger.podentry;

import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.scheduling.NodeConstraints;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What pods take of the ledger by what their authors write into them. Each pod is bounded by what is read of it; this
 * bounds all of them together, because anybody may create many. Equal constraints are held once.
 */
public final class PodBudget {

    /**
     * An eighth of the process' heap, for constraints and for unusual requests each. The constraints of 10,000
     * different deployments that wait at the same time fit.
     */
    static final long MOST_BYTES = 12L * 1024 * 1024;

    /**
     * Entries of all constraints that wait and have many. When room turns up on a node, each may be held against it in
     * some 50 ns, so that such an event takes about a millisecond at most.
     */
    static final long MOST_PARTS = 16_384;

    /** Ordinary pods demand for fewer resources, under names that many share; what they take is not counted. */
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

    /** The one object for constraints like these, to be given back; null when there is no room for more. */
    @Nullable
    NodeConstraints take(NodeConstraints constraints) {
        Kept kept = waiting.get(constraints);
        if (kept == null) {
            if (bytes + constraints.weight() > MOST_BYTES || parts + partsOf(constraints) > MOST_PARTS) {
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
     * What is counted of {@code requests}, in place of {@code before}: all of it, while there is room. After that, of a
     * pod that asks for more resources than any pod does, only what {@code matters}.
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
