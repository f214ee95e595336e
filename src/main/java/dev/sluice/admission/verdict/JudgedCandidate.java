package dev.sluice.admission.verdict;

import dev.sluice.cluster.quantity.ResourceName;

/**
 * What became of a resource that a pod could be given.
 *
 * @param asked what the pod asks for
 * @param candidate that resource itself, or one of its fallback chain
 */
public record JudgedCandidate(ResourceName asked, ResourceName candidate, Trace.Fate fate) {

    /** The pod asks for this very resource, and the cluster lacks it. */
    public boolean isLacked() {
        return candidate.equals(asked)
                && switch (fate) {
                    case NOT_OFFERED, EXHAUSTED, AWAITED, NOT_TOGETHER -> true;
                    case CHOSEN, REFUSED, NOT_NEEDED, NOT_TRIED -> false;
                };
    }
}
