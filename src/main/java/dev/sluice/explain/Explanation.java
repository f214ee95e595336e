package dev.sluice.explain;

import dev.sluice.decide.Decider;
import dev.sluice.decide.Verdict;
import dev.sluice.injection.rule.NotInjected;
import dev.sluice.policy.NamespacePolicy;
import dev.sluice.policy.Policy;
import dev.sluice.quantity.ResourceName;
import dev.sluice.request.PodRequest;
import dev.sluice.scheduling.NodeRefusal;
import dev.sluice.snapshot.ClusterSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A verdict of the {@link Decider} and what it was made of: for each asked resource its candidates, and for each
 * candidate what every node says to it.
 *
 * @param mode whether the verdict was made of what nodes offer, or of what is free on them
 * @param questions in the order in which the pod asks; empty where it asks for no GPU
 * @param inVain combinations, by asked resource, that no node offers together although each part is offered, or that no
 *     node has room for; only for pods that ask for several resources
 * @param notInjected why an admitted pod gets nothing beside its GPUs; empty where it does, and where nobody would ask
 */
public record Explanation(
        Verdict verdict,
        Policy.Mode mode,
        List<AskedResource> questions,
        List<Map<ResourceName, ResourceName>> inVain,
        Optional<NotInjected> notInjected) {

    public Explanation {
        questions = List.copyOf(questions);
        inVain = List.copyOf(inVain);
    }

    /** What {@link Decider#decide} says, and why. */
    public static Explanation of(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster, Occupancy occupancy) {
        return new Explainer(pod, policy, cluster, occupancy).explanation();
    }

    /** A verdict that no node has anything to do with. */
    public static Explanation of(Verdict verdict) {
        return new Explanation(verdict, Policy.Mode.ALLOCATABLE, List.of(), List.of(), Optional.empty());
    }

    /**
     * A resource that the pod asks for.
     *
     * @param containers the names of those that ask for it
     * @param candidates itself first, then its chain; empty where the verdict did not depend on them
     */
    public record AskedResource(ResourceName asked, List<String> containers, List<Candidate> candidates) {
        public AskedResource {
            containers = List.copyOf(containers);
            candidates = List.copyOf(candidates);
        }
    }

    /**
     * Something that could be given.
     *
     * @param need how much of it one node must have, whatever else the pod asks
     * @param nodes every node of the cluster, those that answer alike together, the best answers first
     */
    public record Candidate(ResourceName resource, long need, Fate fate, List<AlikeNodes> nodes) {
        public Candidate {
            nodes = List.copyOf(nodes);
        }
    }

    /** What became of a candidate; {@code word} is for machines. */
    public enum Fate {
        CHOSEN("chosen"),
        /** No single node that the pod may use has enough of it. */
        NOT_OFFERED("notOffered"),
        /** Availability mode: offered, but no node that would take the pod now has room for it. */
        EXHAUSTED("exhausted"),
        /** Availability mode: the pod is given this, of which nothing is free, and waits. */
        AWAITED("awaited"),
        /** Offered or free alone, but on no node together with what else the pod would be given. */
        NOT_TOGETHER("notTogether"),
        /** Offered, and tried, but injection refuses the pod with it. */
        REFUSED("refused"),
        /** Something better was found. */
        NOT_NEEDED("notNeeded"),
        /** Offered alone, but the pod was left as written, or refused, before it came to that. */
        NOT_TRIED("notTried");

        private final String word;

        Fate(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /**
     * Nodes that give the same answer.
     *
     * @param allocatable what each of them has of the candidate
     * @param names sorted
     */
    public record AlikeNodes(NodeAnswer answer, long allocatable, List<String> names) {
        public AlikeNodes {
            names = List.copyOf(names);
        }
    }

    /**
     * Something of which a node has less free than the whole pod needs.
     *
     * @param available 0 where more was given than there is
     * @param holders those that have the rest, the largest first
     */
    public record Shortage(
            ResourceName resource, long available, long allocatable, long needed, List<HeldAmount> holders) {
        public Shortage {
            holders = List.copyOf(holders);
        }
    }

    /** Something of which a node has less than the whole pod needs, even if nobody else were there. */
    public record Lack(ResourceName resource, long allocatable, long needed) {}

    /**
     * What one pod has of one resource of a node.
     *
     * @param pod {@code namespace/name}
     */
    public record HeldAmount(String pod, Occupancy.HolderState state, long amount) {}

    /** What a node says to a candidate; from the best to the worst. */
    public sealed interface NodeAnswer {

        /** It has enough, and the pod may use it. */
        record Fits() implements NodeAnswer {}

        /**
         * Availability mode: it has enough, and the scheduler would place the pod there, but not all that the pod needs
         * is free.
         *
         * @param shortages by what is missing
         * @param holders those that hold some of the candidate there, missing or not, the largest first
         */
        record InUse(List<Shortage> shortages, List<HeldAmount> holders) implements NodeAnswer {
            public InUse {
                shortages = List.copyOf(shortages);
                holders = List.copyOf(holders);
            }
        }

        /**
         * Availability mode: it has enough of the candidate, but too little of what else the pod needs, so that waiting
         * does not help.
         */
        record TooSmall(List<Lack> lacks) implements NodeAnswer {
            public TooSmall {
                lacks = List.copyOf(lacks);
            }
        }

        /** The pod may use it, but it has less than is needed. */
        record TooFew() implements NodeAnswer {}

        /** It has some, which the pod may not use. */
        record NodeRefuses(NodeRefusal refusal) implements NodeAnswer {}

        /** It has nothing of the candidate. */
        record HasNone() implements NodeAnswer {}
    }
}
