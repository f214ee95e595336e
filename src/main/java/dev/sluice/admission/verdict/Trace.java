package dev.sluice.admission.verdict;

import dev.sluice.admission.request.Move;
import dev.sluice.admission.request.Policy;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;

/**
 * A verdict, and what became of each candidate on the way to it.
 *
 * @param mode whether the search looked at what nodes offer, or at what is free on them
 * @param asked in the order in which the pod asks; empty where it asks for no GPU
 * @param inVain the combinations that were tried and did not fit, as the moves that lead to them; only for pods that
 *     ask for several resources
 */
public record Trace(Verdict verdict, Policy.Mode mode, List<AskedResource> asked, List<List<Move>> inVain) {

    public Trace {
        asked = List.copyOf(asked);
        inVain = List.copyOf(inVain);
    }

    /** A verdict that no search has led to. */
    public static Trace without(Verdict verdict) {
        return new Trace(verdict, Policy.Mode.ALLOCATABLE, List.of(), List.of());
    }

    /**
     * A resource that the pod asks for.
     *
     * @param containers the names of those that ask for it
     * @param candidates itself first, then its fallback chain; empty where the verdict did not depend on them
     */
    public record AskedResource(ResourceName resource, List<String> containers, List<Candidate> candidates) {
        public AskedResource {
            containers = List.copyOf(containers);
            candidates = List.copyOf(candidates);
        }
    }

    /**
     * A resource that the pod could be given.
     *
     * @param need how much of it one node must have, whatever else the pod asks
     * @param total all that the pod takes of its node with it
     */
    public record Candidate(ResourceName resource, long need, Amounts total, Fate fate) {}

    /** What became of a candidate; {@code word} is for machines. */
    public enum Fate {
        CHOSEN("chosen"),
        /** No single node that the pod may use has enough of it. */
        NOT_OFFERED("notOffered"),
        /** Availability mode: it is offered, but no node that would take the pod now has it free. */
        EXHAUSTED("exhausted"),
        /** Availability mode: the pod is given this, of which nothing is free, and waits. */
        AWAITED("awaited"),
        /** It is offered or free alone, but on no node together with what else the pod would be given. */
        NOT_TOGETHER("notTogether"),
        /** It is offered and was tried, but injection refuses the pod with it. */
        REFUSED("refused"),
        /** Something better was found. */
        NOT_NEEDED("notNeeded"),
        /** It is offered alone, but the pod was left as written, or refused, before it was tried. */
        NOT_TRIED("notTried");

        private final String word;

        Fate(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }
}
