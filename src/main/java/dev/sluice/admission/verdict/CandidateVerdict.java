package dev.sluice.admission.verdict;

import dev.sluice.cluster.quantity.ResourceName;

/**
 * A resource that a pod could get, with the result of the search for it.
 *
 * @param asked the resource that the pod requests
 * @param candidate the requested resource itself, or one of its fallbacks
 * @param fate the result for the candidate
 */
public record CandidateVerdict(ResourceName asked, ResourceName candidate, VerdictTrace.CandidateOutcome fate) {

    /**
     * Returns true if the candidate is the requested resource itself, and the pod does not get it because it is not
     * available now.
     */
    public boolean isLacked() {
        return candidate.equals(asked)
                && switch (fate) {
                    case NOT_OFFERED, UNCERTAIN, EXHAUSTED, AWAITED, NOT_TOGETHER, LIMITED -> true;
                    case CHOSEN, REFUSED, NOT_NEEDED, NOT_TRIED -> false;
                };
    }
}
