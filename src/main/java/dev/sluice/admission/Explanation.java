package dev.sluice.admission;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.injection.NotInjected;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.Trace;
import dev.sluice.admission.verdict.Trace.AskedResource;
import dev.sluice.admission.verdict.Trace.Candidate;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.NodeRefusal;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The explanation of a decision for people: its trace, with the answer of every node to each candidate. It decides
 * nothing.
 *
 * @param trace of the decision
 * @param nodes by candidate, every node of the cluster: those that answer alike together, the best answers first
 * @param notInjected why an admitted pod gets no resources for its GPUs; empty if it gets some, or if nobody expects
 *     any
 * @param invalid a sentence for each quantity of a GPU that the API server will refuse
 */
public record Explanation(
        Trace trace, Map<Candidate, List<AlikeNodes>> nodes, Optional<NotInjected> notInjected, List<String> invalid) {

    public Explanation {
        invalid = List.copyOf(invalid);
    }

    /** The explanation of the decision on {@code pod} that this trace is of. */
    public static Explanation of(
            Trace trace, PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster, Occupancy occupancy) {
        Map<Candidate, List<AlikeNodes>> nodes = new HashMap<>();
        for (AskedResource asked : trace.asked()) {
            asked.candidates().forEach(candidate -> {
                PodRequest given = pod.with(pod.constraints()
                        .tolerating(
                                asked.resource().value(), candidate.resource().value()));
                nodes.put(
                        candidate,
                        new NodeAnswers(given, trace.mode(), policy.policy().preemption(), cluster, occupancy)
                                .to(candidate));
            });
        }
        return new Explanation(
                trace,
                nodes,
                notInjected(trace.verdict(), pod, policy),
                GpuRequest.of(pod, policy.policy()).illegalQuantities());
    }

    /** The explanation of a verdict that does not depend on any node. */
    public static Explanation of(Verdict verdict) {
        return new Explanation(Trace.without(verdict), Map.of(), Optional.empty(), List.of());
    }

    public Verdict verdict() {
        return trace.verdict();
    }

    public List<AlikeNodes> nodes(Candidate candidate) {
        return nodes.getOrDefault(candidate, List.of());
    }

    private static Optional<NotInjected> notInjected(Verdict verdict, PodRequest pod, NamespacePolicy policy) {
        if (!(verdict.injection() instanceof Injection.NothingInjected) || verdict instanceof Verdict.Denied) {
            return Optional.empty();
        }
        InjectionRules rules = policy.injector().rules();
        String type = pod.annotations().gpuType();
        if (type == null) {
            boolean worthSaying = !rules.isEmpty() && !(verdict instanceof Verdict.NoGpu);
            return worthSaying ? Optional.of(new NotInjected.NoType()) : Optional.empty();
        }
        boolean untouched =
                verdict instanceof Verdict.Allowed allowed && allowed.outcome() == Verdict.Outcome.UNTOUCHED;
        return Optional.of(untouched ? new NotInjected.LeftAsWritten() : rules.whyNot(policy.namespace(), type));
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
    public record HeldAmount(String pod, Occupancy.PodBinding state, long amount) {}

    /** What a node says to a candidate; from the best to the worst. */
    public sealed interface NodeAnswer {

        /**
         * It has enough, and the pod may use it.
         *
         * @param free availability mode: how much of the candidate is free there
         */
        record Fits(OptionalLong free) implements NodeAnswer {}

        /**
         * Availability mode: it has enough, and the scheduler would place the pod there, but not all that the pod needs
         * is free.
         *
         * @param shortages by what is missing
         * @param holders those that hold some of the candidate there, missing or not, the largest first
         * @param relief what gives the pod room there
         */
        record InUse(List<Shortage> shortages, List<HeldAmount> holders, Relief relief) implements NodeAnswer {

            /** What the pod would get the node by. */
            public enum Relief {
                /** Pods on the node have to end. */
                WAITING,
                /** The scheduler preempts pods of lower priority on the node. */
                PREEMPTION
            }

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
