package dev.sluice.admission;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.NodeRefusal;
import dev.sluice.cluster.ResourceName;
import dev.sluice.injection.Injection;
import java.util.List;
import java.util.Map;

/**
 * A verdict of the {@link Decider} and what it was made of: for each asked resource its candidates, and for each
 * candidate what every node says to it.
 *
 * @param questions in the order in which the pod asks; empty where it asks for no GPU
 * @param inVain combinations, by asked resource, that no node offers together although each part is offered; only for
 *     pods that ask for several resources
 * @param injection what the pod gets beside its GPUs, where it is admitted with them
 */
public record Explanation(
        Verdict verdict, List<Question> questions, List<Map<ResourceName, ResourceName>> inVain, Injection injection) {

    public Explanation {
        questions = List.copyOf(questions);
        inVain = List.copyOf(inVain);
    }

    /** What {@link Decider#decide} says, and why. */
    public static Explanation of(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster) {
        return new Explainer(pod, policy, cluster).explanation();
    }

    /** A verdict that no node has anything to do with. */
    public static Explanation of(Verdict verdict) {
        return new Explanation(verdict, List.of(), List.of(), new Injection.None());
    }

    /**
     * A resource that the pod asks for.
     *
     * @param containers the names of those that ask for it
     * @param candidates itself first, then its chain; empty where the verdict did not depend on them
     */
    public record Question(ResourceName asked, List<String> containers, List<Candidate> candidates) {
        public Question {
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
    public record Candidate(ResourceName resource, long need, Fate fate, List<Nodes> nodes) {
        public Candidate {
            nodes = List.copyOf(nodes);
        }
    }

    /** What became of a candidate; {@code word} is for machines. */
    public enum Fate {
        CHOSEN("chosen"),
        /** No single node that the pod may use has enough of it. */
        NOT_OFFERED("notOffered"),
        /** Offered alone, but on no node together with what else the pod would be given. */
        NOT_TOGETHER("notTogether"),
        /** Something better was found. */
        NOT_NEEDED("notNeeded"),
        /** Offered alone, but the pod was left as written before it came to that. */
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
    public record Nodes(Answer answer, long allocatable, List<String> names) {
        public Nodes {
            names = List.copyOf(names);
        }
    }

    /** What a node says to a candidate; from the best to the worst. */
    public sealed interface Answer {

        /** It has enough, and the pod may use it. */
        record Fits() implements Answer {}

        /** The pod may use it, but it has less than is needed. */
        record TooFew() implements Answer {}

        /** It has some, which the pod may not use. */
        record Refused(NodeRefusal refusal) implements Answer {}

        /** It has nothing of the candidate. */
        record None() implements Answer {}
    }
}
