package dev.sluice.admission.verdict;

import dev.sluice.admission.injection.Injection.Refusal;
import dev.sluice.admission.request.Move;
import dev.sluice.admission.verdict.Exhaustion.FreeCount;
import dev.sluice.cluster.GpuTrace;
import dev.sluice.cluster.NodeRefusal;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.stream.Stream;

/** Why a pod was decided as it was: a closed list. Each cause holds the numbers that its sentence tells. */
public sealed interface DecisionCause {

    /** The words of the pod's author that the cause keeps. Nobody but the author limits how long they are. */
    default List<String> words() {
        return List.of();
    }

    /** A cause that speaks of some containers of the pod. */
    sealed interface OfContainers extends DecisionCause {

        ContainerNames containers();

        @Override
        default List<String> words() {
            return containers().first();
        }
    }

    /** No node offers what is asked, so that the pod is given something else. */
    record Substituted(ContainerNames containers, Shortfall why, Offer given) implements OfContainers {}

    /** What is asked is in use, so that the pod is given something else. */
    record SubstitutedAsExhausted(ContainerNames containers, Exhaustion why, FreeCount given) implements OfContainers {}

    /** No node offers what is asked, and the pod waits for what it is given, because that is in use. */
    record SubstitutedAndWaits(ContainerNames containers, Shortfall why, Exhaustion given) implements OfContainers {}

    /** What is asked is in use, and the pod waits for it. */
    record Waits(ContainerNames containers, Exhaustion why, Fallbacks fallbacks) implements OfContainers {}

    /** What the pod is given is in use by pods of lower priority, which the scheduler preempts for it. */
    record Preempts(ContainerNames containers, Exhaustion why) implements OfContainers {}

    /** Nothing is offered, and the policy keeps the pod as it is. */
    record KeptAsWritten(ContainerNames containers, Shortfall why, Fallbacks fallbacks) implements OfContainers {}

    /**
     * Nothing is offered, and the policy denies the pod.
     *
     * @param offered what nodes that the pod may use offer, whatever the pod asks
     * @param refusals why the pod may use none of the nodes that have what it asks, or one of its fallbacks if no node
     *     has what it asks; empty where it may use one
     */
    record NotOffered(
            ContainerNames containers,
            Shortfall why,
            Fallbacks fallbacks,
            List<Offer> offered,
            List<NodeRefusal> refusals)
            implements OfContainers {
        public NotOffered {
            offered = List.copyOf(offered);
            refusals = List.copyOf(refusals);
        }

        @Override
        public List<String> words() {
            return Stream.concat(containers.first().stream(), refusals.stream().map(NodeRefusal::text))
                    .toList();
        }
    }

    /**
     * Nothing is free, and the policy denies the pod.
     *
     * @param anyFree some GPU is free on some node
     * @param usable what the pod could have now if it asked for it
     */
    record Exhausted(
            ContainerNames containers, Exhaustion why, Fallbacks fallbacks, boolean anyFree, List<FreeCount> usable)
            implements OfContainers {
        public Exhausted {
            usable = List.copyOf(usable);
        }
    }

    /** A second look finds that the pod can have what it asked for at first, and takes the change back. */
    record TakenBack(ContainerNames containers, ResourceName asked, ResourceName given) implements OfContainers {}

    /** What was exchanged at first was written back by somebody else, so that the pod keeps what it asked for. */
    record WrittenBack(ContainerNames containers, ResourceName asked) implements OfContainers {}

    /** What is asked cannot be had now, and the pod keeps it, because it has scheduling gates. */
    record KeptWhileGated(ContainerNames containers, ResourceName asked) implements OfContainers {}

    /** No node offers any GPU, but a node tells that there may be some, so that the pod is kept as it is. */
    record KeptForTrace(ContainerNames containers, ResourceName asked, GpuTrace trace) implements OfContainers {}

    /** No node has any GPU, and the policy keeps the pod as it is. */
    record KeptWithoutGpus(ContainerNames containers, ResourceName asked) implements OfContainers {}

    /**
     * No node has any GPU, and the policy denies the pod.
     *
     * @param advises whether the refusal says what to add; it does not where a known fault tells what is wrong
     */
    record NoGpuInCluster(ContainerNames containers, ResourceName asked, boolean advises) implements OfContainers {}

    /** The pod asks in its requests only, so that the same limit is added. */
    record LimitAdded(ContainerNames containers, ResourceName asked) implements OfContainers {}

    /** The fallback chains of the pod's resources allow more than {@code most} combinations. */
    record TooManyCombinations(int most) implements DecisionCause {}

    /** The annotation that switches chains off has a value that means nothing. */
    record UnknownFallbackMode(String mode) implements DecisionCause {
        @Override
        public List<String> words() {
            return List.of(mode);
        }
    }

    /** The pod would be illegal after the patch; {@code asWritten} if it is illegal without the patch, too. */
    record IllegalPod(String problem, boolean asWritten) implements DecisionCause {
        @Override
        public List<String> words() {
            return List.of(problem);
        }
    }

    /**
     * The pod cannot be read, or not be evaluated, and is kept or denied by the policy.
     *
     * @param problem empty if there is no pod
     */
    record Unreadable(UnreadablePart part, String problem, boolean denied) implements DecisionCause {
        @Override
        public List<String> words() {
            return List.of(problem);
        }
    }

    /** The pod cannot be given the CPU and memory that go with its GPUs. */
    record InjectionRefused(Refusal refusal, List<Move> moves) implements DecisionCause {
        public InjectionRefused {
            moves = List.copyOf(moves);
        }
    }

    /** A diagnosis has found a fault that may be why a resource is not offered; {@code text} is a clause. */
    record KnownFault(ResourceName asked, String text) implements DecisionCause {
        @Override
        public List<String> words() {
            return List.of(text);
        }
    }

    /** The ledger keeps no reservation for this decision. */
    record NothingReserved(String why) implements DecisionCause {}

    /** A fault of the gateway itself. */
    record InternalFault() implements DecisionCause {}

    /** What nodes that the pod may use offer of one resource. */
    record Offer(ResourceName resource, long total, long nodes) {}

    /** What came of the fallbacks of a resource that is not given. */
    enum Fallbacks {
        /** The policy names none. */
        NONE,
        /** No node has any of them; in availability mode, none of them is free. */
        ALSO_MISSING,
        /** Nodes have some of them, but no node that the pod may use has enough of one. */
        NOT_USABLE,
        /** Some would do alone, but not together with the other resources of the pod. */
        NOT_TOGETHER,
        /** Some would do, but a LimitRange of the namespace would refuse the pod with them. */
        LIMITED,
        /** The policy names some, and the pod has switched them off. */
        SWITCHED_OFF
    }

    /** What of a review cannot be read. */
    enum UnreadablePart {
        /** There is no object in the review. */
        OBJECT,
        /** The object is not a pod, or it goes beyond what is read of one. */
        POD,
        /** The pod asks for GPUs, but where it may run cannot be evaluated. */
        NODE_CONSTRAINTS
    }
}
