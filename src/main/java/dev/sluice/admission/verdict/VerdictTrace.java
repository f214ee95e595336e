package dev.sluice.admission.verdict;

import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;

/**
 * A verdict with the results of all candidates that the search considered.
 *
 * @param mode whether the search used the Allocatable of nodes or their free amounts
 * @param asked the requested resources in the order of the pod; empty if the pod requests no GPU
 * @param rejectedCombinations the combinations of candidates that fit on no node, each as a list of replacements; only
 *     recorded for pods that request several resources
 */
public record VerdictTrace(
        Verdict verdict,
        Policy.Mode mode,
        List<AskedResource> asked,
        List<List<PodRequestReplacement>> rejectedCombinations) {

    public VerdictTrace {
        asked = List.copyOf(asked);
        rejectedCombinations = List.copyOf(rejectedCombinations);
    }

    /** Creates the trace of a verdict that needed no search. */
    public static VerdictTrace without(Verdict verdict) {
        return new VerdictTrace(verdict, Policy.Mode.ALLOCATABLE, List.of(), List.of());
    }

    /**
     * A resource that the pod requests.
     *
     * @param containers the names of the containers that request it
     * @param candidates the resource itself, followed by its fallback chain; empty if the verdict does not depend on
     *     them
     */
    public record AskedResource(ResourceName resource, List<String> containers, List<Candidate> candidates) {
        public AskedResource {
            containers = List.copyOf(containers);
            candidates = List.copyOf(candidates);
        }
    }

    /**
     * A resource that the pod could get.
     *
     * @param need the amount of this resource that one node must have
     * @param total the amounts of all resources that the pod would use on its node with this candidate
     * @param fate the result for the candidate
     */
    public record Candidate(ResourceName resource, long need, Amounts total, CandidateOutcome fate) {}

    /** The result for a candidate resource. The API contains its {@code word}. */
    public enum CandidateOutcome {
        CHOSEN("chosen"),
        /** No single node that the pod may use has enough of the candidate resource. */
        NOT_OFFERED("notOffered"),
        /**
         * It is unknown whether DRA has enough devices for the candidate resource. The search stopped here, and the pod
         * was kept as written.
         */
        UNCERTAIN("uncertain"),
        /**
         * The candidate resource is offered, but not enough of it is free on any node that would accept the pod now.
         * Only used in availability mode.
         */
        EXHAUSTED("exhausted"),
        /**
         * The pod gets this candidate resource and waits, because the resource is in use. Only used in availability
         * mode.
         */
        AWAITED("awaited"),
        /**
         * The candidate resource alone is offered or free, but no node has it together with the other resources of the
         * pod.
         */
        NOT_TOGETHER("notTogether"),
        /** The candidate resource is offered, but a LimitRange of the namespace would refuse the pod with it. */
        LIMITED("limited"),
        /** The candidate resource is offered and was tried, but the injection rules refuse the pod with it. */
        REFUSED("refused"),
        /** The pod gets a candidate resource that comes earlier in the chain. */
        NOT_NEEDED("notNeeded"),
        /**
         * The candidate resource is offered, but it was not tried, because the pod was kept as written or denied for
         * another reason.
         */
        NOT_TRIED("notTried");

        private final String word;

        CandidateOutcome(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }
}
