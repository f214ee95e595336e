package dev.sluice.admission;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.injection.NotInjected;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.VerdictTrace;
import dev.sluice.admission.verdict.VerdictTrace.AskedResource;
import dev.sluice.admission.verdict.VerdictTrace.Candidate;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.MisspeltGpuResource;
import dev.sluice.cluster.PodNodeMismatch;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The explanation of a decision for people: the trace of the decision, and for each candidate the answers of all nodes.
 * Creating it does not influence the decision.
 *
 * @param trace the trace of the decision
 * @param nodes for each candidate, all nodes of the cluster; nodes with the same answer form a group, and the best
 *     answers come first
 * @param notInjected the reason why an admitted pod gets no resources in addition to its GPUs; empty if it gets some,
 *     or if it requests no GPU
 * @param invalid sentences about the GPU quantities and the resource names that the API server will refuse
 * @param misspelt sentences about the resource names that no node has and that resemble the name of a GPU
 */
public record DecisionExplanation(
        VerdictTrace trace,
        Map<Candidate, List<AlikeNodes>> nodes,
        Optional<NotInjected> notInjected,
        List<String> invalid,
        List<String> misspelt) {

    /** The maximum number of sentences about resource names. A pod may have any number of these names. */
    private static final int MOST_NAMES = 5;

    public DecisionExplanation {
        invalid = List.copyOf(invalid);
        misspelt = List.copyOf(misspelt);
    }

    /** Creates the explanation of the decision about {@code pod} from the trace of the decision. */
    public static DecisionExplanation of(
            VerdictTrace trace,
            PodRequest pod,
            NamespacePolicy policy,
            ClusterSnapshot cluster,
            ExplanationOccupancy occupancy) {
        Map<Candidate, List<AlikeNodes>> nodes = new HashMap<>();
        for (AskedResource asked : trace.asked()) {
            asked.candidates().forEach(candidate -> {
                PodRequest given = pod.with(pod.constraints()
                        .tolerating(
                                asked.resource().value(), candidate.resource().value()));
                nodes.put(
                        candidate,
                        new ExplanationNodeAnswers(
                                        given, trace.mode(), policy.policy().preemption(), cluster, occupancy)
                                .to(candidate));
            });
        }
        return new DecisionExplanation(
                trace,
                nodes,
                notInjected(trace.verdict(), pod, policy),
                Stream.concat(
                                GpuRequest.of(pod, policy.policy(), cluster.claimed()).illegalQuantities().stream(),
                                illegalNames(pod))
                        .toList(),
                misspelt(pod, policy, cluster));
    }

    /** Creates the explanation of a verdict that does not depend on any node. */
    public static DecisionExplanation of(Verdict verdict) {
        return new DecisionExplanation(VerdictTrace.without(verdict), Map.of(), Optional.empty(), List.of(), List.of());
    }

    public Verdict verdict() {
        return trace.verdict();
    }

    public List<AlikeNodes> nodes(Candidate candidate) {
        return nodes.getOrDefault(candidate, List.of());
    }

    private static Stream<String> illegalNames(PodRequest pod) {
        return aboutNames(
                pod,
                name -> name.whyRefusedInContainer()
                        .map(why -> "the API server refuses the resource " + name + ", as " + why
                                + MisspeltGpuResource.of(name)
                                        .map(meant -> " (did you mean " + meant + "?)")
                                        .orElse("; GPUs have names such as " + ResourceName.NVIDIA_GPU)));
    }

    /**
     * Returns a sentence for each misspelt GPU name that the API server accepts. If a pod requests only misspelt names,
     * it does not count as a GPU pod and gets no warning, so only the explanation can mention them.
     */
    private static List<String> misspelt(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster) {
        return aboutNames(
                        pod,
                        name -> Optional.of(name)
                                .filter(it -> !policy.policy().chains().isGpu(it)
                                        && !cluster.devices().contains(it)
                                        && it.whyRefusedInContainer().isEmpty())
                                .flatMap(MisspeltGpuResource::of)
                                .map(meant -> "no node has " + name
                                        + ", and it is no GPU resource that is known (did you mean " + meant
                                        + "?); the pod waits until a node offers it"))
                .toList();
    }

    /**
     * Calls {@code clause} with each resource name of each container. Returns a sentence for each clause, at most
     * {@link #MOST_NAMES}.
     */
    private static Stream<String> aboutNames(PodRequest pod, Function<ResourceName, Optional<String>> clause) {
        return pod.containers().stream()
                .flatMap(container -> container.names().stream()
                        .flatMap(name -> clause.apply(name).stream())
                        .map(text -> "container " + container.name() + ": " + text))
                .limit(MOST_NAMES);
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
     * A group of nodes with the same answer about one candidate resource.
     *
     * @param allocatable the amount of the candidate resource in the Allocatable of each of these nodes
     * @param deviceClass the DeviceClass through which DRA allocates the candidate resource on these nodes; empty if
     *     DRA does not allocate it there
     * @param names the names of the nodes, sorted
     */
    public record AlikeNodes(NodeAnswer answer, long allocatable, String deviceClass, List<String> names) {
        public AlikeNodes {
            names = List.copyOf(names);
        }
    }

    /**
     * A resource that is short on a node now: less of it is free than the whole pod needs.
     *
     * @param available the amount that is free; 0 if the node is overcommitted
     * @param holders the pods that use the resource on the node, the largest amount first
     */
    public record Shortage(
            ResourceName resource, long available, long allocatable, long needed, List<HeldAmount> holders) {
        public Shortage {
            holders = List.copyOf(holders);
        }
    }

    /**
     * A resource of which a node has too little even when it is empty: its Allocatable is less than the whole pod
     * needs.
     */
    public record Lack(ResourceName resource, long allocatable, long needed) {}

    /**
     * The amount of one resource that one pod uses on a node.
     *
     * @param pod the pod as {@code namespace/name}
     */
    public record HeldAmount(String pod, ExplanationOccupancy.PodBinding state, long amount) {}

    /**
     * Tells whether the pod fits on a node if it gets a candidate resource. The kinds of answers are ordered from the
     * best to the worst.
     */
    public sealed interface NodeAnswer {

        /**
         * The node has enough of the candidate resource, and the pod may use the node.
         *
         * @param free the amount of the candidate resource that is free there; only known in availability mode
         */
        record Fits(OptionalLong free) implements NodeAnswer {}

        /**
         * The pod may use the node, and DRA provides the candidate resource there. It is unknown whether there are
         * enough devices.
         */
        record MayFit() implements NodeAnswer {}

        /**
         * The pod would fit on the node if the node were empty, but too little is free now. This answer occurs only in
         * availability mode, where decisions use the free capacity.
         *
         * @param shortages the resources of which too little is free
         * @param holders the pods that use the candidate resource there, the largest amount first. They are listed even
         *     if another resource is short
         * @param relief the event that frees enough capacity for the pod on the node
         */
        record InUse(List<Shortage> shortages, List<HeldAmount> holders, Relief relief) implements NodeAnswer {

            /** The event that frees enough capacity for a pod on a node. */
            public enum Relief {
                /** Other pods on the node terminate. */
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
         * The node has enough of the candidate resource, but is too small for the pod: its Allocatable of another
         * resource is less than the pod needs. This answer occurs only in availability mode.
         */
        record TooSmall(List<Lack> lacks) implements NodeAnswer {
            public TooSmall {
                lacks = List.copyOf(lacks);
            }
        }

        /** The pod may use the node, but the node has less of the candidate resource than the pod needs. */
        record TooFew() implements NodeAnswer {}

        /** The node has at least one device of the candidate resource, but the pod may not use the node. */
        record NodeRefuses(PodNodeMismatch refusal) implements NodeAnswer {}

        /** The node has none of the candidate resource. */
        record HasNone() implements NodeAnswer {}
    }
}
