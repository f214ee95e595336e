package dev.sluice.admission.verdict;

import dev.sluice.admission.injection.Injection.Refusal;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.verdict.Exhaustion.FreeCount;
import dev.sluice.cluster.ClusterGpuEvidence;
import dev.sluice.cluster.PodNodeMismatch;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.stream.Stream;

/** The cause of a verdict, with the numbers that are shown in the sentence about the verdict. */
public sealed interface DecisionCause {

    /** Returns the texts in this cause that come from the author of the pod. They can have any length. */
    default List<String> words() {
        return List.of();
    }

    /** A cause that is about some containers of the pod. */
    sealed interface OfContainers extends DecisionCause {

        DecisionCauseContainers containers();

        default PlacedBy placedBy() {
            return PlacedBy.SCHEDULER;
        }

        @Override
        default List<String> words() {
            return containers().first();
        }
    }

    /** No node offers the requested resource, so the pod gets a fallback. */
    record Substituted(DecisionCauseContainers containers, Shortfall why, Offer given) implements OfContainers {}

    /** The requested resource is in use, so the pod gets a fallback. */
    record SubstitutedAsExhausted(DecisionCauseContainers containers, Exhaustion why, FreeCount given)
            implements OfContainers {}

    /**
     * No node offers the requested resource, so the pod gets a fallback. The fallback is in use, so the pod waits for
     * it.
     */
    record SubstitutedAndWaits(DecisionCauseContainers containers, Shortfall why, Exhaustion given, PlacedBy placedBy)
            implements OfContainers {}

    /** The requested resource is in use, and the pod waits for it. */
    record Waits(DecisionCauseContainers containers, Exhaustion why, Fallbacks fallbacks, PlacedBy placedBy)
            implements OfContainers {}

    /** The resource that the pod gets is used by pods of lower priority, which the scheduler will preempt. */
    record Preempts(DecisionCauseContainers containers, Exhaustion why) implements OfContainers {}

    /**
     * No node offers the resource or any of its fallbacks, and the policy keeps the pod as written.
     *
     * @param refusals the reasons why the pod may not use the nodes that have enough of the requested resource or, if
     *     there are none, the nodes that have a fallback. Empty if there are no such nodes, or if the pod may use one
     *     of them
     */
    record KeptAsWritten(
            DecisionCauseContainers containers,
            Shortfall why,
            Fallbacks fallbacks,
            PlacedBy placedBy,
            List<PodNodeMismatch> refusals)
            implements OfContainers {
        public KeptAsWritten {
            refusals = List.copyOf(refusals);
        }

        @Override
        public List<String> words() {
            return Stream.concat(containers.first().stream(), refusals.stream().map(PodNodeMismatch::text))
                    .toList();
        }
    }

    /**
     * No node offers the resource or any of its fallbacks, and the policy denies the pod.
     *
     * @param offered the GPU resources that are offered on nodes that the pod may use
     * @param refusals the reasons why the pod may not use the most suitable nodes: the nodes with enough of the
     *     requested resource, else the nodes with a fallback, else the nodes with any GPU. Empty if the pod may use one
     *     of these nodes
     * @param others the other containers whose requested resources are not offered either
     */
    record NotOffered(
            DecisionCauseContainers containers,
            Shortfall why,
            Fallbacks fallbacks,
            List<Offer> offered,
            List<PodNodeMismatch> refusals,
            DecisionCauseContainers others)
            implements OfContainers {
        public NotOffered {
            offered = List.copyOf(offered);
            refusals = List.copyOf(refusals);
        }

        @Override
        public List<String> words() {
            return Stream.of(
                            containers.first().stream(),
                            refusals.stream().map(PodNodeMismatch::text),
                            others.first().stream())
                    .flatMap(words -> words)
                    .toList();
        }
    }

    /**
     * Neither the resource nor any of its fallbacks is free, and the policy denies the pod.
     *
     * @param why the reason why the resource is not free; a {@link Shortfall} if only its fallbacks are offered
     * @param anyFree true if some GPU is free on some node
     * @param usable the resources that the pod would get now if it requested them
     * @param refusals the reasons why the pod may not use other nodes that have the resource
     */
    record Exhausted(
            DecisionCauseContainers containers,
            ShortfallOrExhaustion why,
            Fallbacks fallbacks,
            boolean anyFree,
            List<FreeCount> usable,
            List<PodNodeMismatch> refusals)
            implements OfContainers {
        public Exhausted {
            usable = List.copyOf(usable);
            refusals = List.copyOf(refusals);
        }

        @Override
        public List<String> words() {
            return Stream.concat(containers.first().stream(), refusals.stream().map(PodNodeMismatch::text))
                    .toList();
        }
    }

    /**
     * The API server has called Sluice again for a pod that Sluice had changed. The pod can now have its original
     * resource, so the change is undone.
     */
    record TakenBack(DecisionCauseContainers containers, ResourceName asked, ResourceName given)
            implements OfContainers {}

    /** Another webhook has restored the original resource after Sluice had replaced it, so the pod keeps it. */
    record WrittenBack(DecisionCauseContainers containers, ResourceName asked, PlacedBy placedBy)
            implements OfContainers {}

    /**
     * The requested resource is not available now, but the pod keeps it because it has scheduling gates.
     *
     * @param nodes the number of nodes that have the resource, whether the pod may use them or not
     */
    record KeptWhileGated(DecisionCauseContainers containers, ResourceName asked, long nodes) implements OfContainers {}

    /**
     * No node offers a GPU, but the cluster seems to have GPUs, so the pod is kept as written.
     *
     * @param trace the evidence for GPUs in the cluster
     */
    record KeptForTrace(
            DecisionCauseContainers containers, ResourceName asked, ClusterGpuEvidence trace, PlacedBy placedBy)
            implements OfContainers {}

    /**
     * DRA may provide the resource or one of its fallbacks, but the number of devices is unknown, so the pod is kept as
     * written.
     *
     * @param candidate the resource that DRA may provide: the requested one or a fallback
     * @param deviceClass the DeviceClass for the resource; empty if the gateway cannot read the DeviceClasses
     */
    record KeptForClaims(
            DecisionCauseContainers containers, ResourceName asked, ResourceName candidate, String deviceClass)
            implements OfContainers {}

    /** No node has any GPU, and the policy keeps the pod as written. */
    record KeptWithoutGpus(DecisionCauseContainers containers, ResourceName asked, PlacedBy placedBy)
            implements OfContainers {}

    /** No node has any GPU, and the policy denies the pod. */
    record NoGpuInCluster(DecisionCauseContainers containers, ResourceName asked) implements OfContainers {}

    /** A container has the resource in its requests but not in its limits, so the limit is added. */
    record LimitAdded(DecisionCauseContainers containers, ResourceName asked) implements OfContainers {}

    /** The fallback chains of the pod's resources have more than {@code most} combinations. */
    record TooManyCombinations(int most) implements DecisionCause {}

    /** The annotation that switches fallbacks off has an unknown value. */
    record UnknownFallbackMode(String mode) implements DecisionCause {
        @Override
        public List<String> words() {
            return List.of(mode);
        }
    }

    /** The pod names a GPU type for injection, and no injection rules are configured. */
    record NoInjectionRules(String type) implements DecisionCause {
        @Override
        public List<String> words() {
            return List.of(type);
        }
    }

    /**
     * The pod would be invalid after the patch.
     *
     * @param asWritten true if the pod is invalid even without the patch
     */
    record IllegalPod(String problem, boolean asWritten) implements DecisionCause {
        @Override
        public List<String> words() {
            return List.of(problem);
        }
    }

    /**
     * The pod cannot be decoded or evaluated, and the policy keeps or denies it.
     *
     * @param problem the reason; empty if the review contains no object
     */
    record Unreadable(UnreadablePart part, String problem, boolean denied) implements DecisionCause {
        @Override
        public List<String> words() {
            return List.of(problem);
        }
    }

    /** The injection rules refuse the pod after these replacements of its resources. */
    record InjectionRefused(Refusal refusal, List<PodRequestReplacement> moves) implements DecisionCause {
        public InjectionRefused {
            moves = List.copyOf(moves);
        }
    }

    /**
     * A diagnosis has found a fault that may explain why a resource is not offered.
     *
     * @param text the fault as a clause of a sentence
     */
    record KnownFault(ResourceName asked, String text) implements DecisionCause {
        @Override
        public List<String> words() {
            return List.of(text);
        }
    }

    /** The ledger reserves no resources for this decision. */
    record NothingReserved(String why) implements DecisionCause {}

    /** No decision was possible, and the policy only observes, so the pod is created as it was written. */
    record NotDecided(String why) implements DecisionCause {}

    /** The gateway has failed because of an error in its own code. */
    record InternalFault() implements DecisionCause {}

    /**
     * The amount of one resource on the nodes that the pod may use.
     *
     * @param total the sum of the Allocatable of these nodes
     * @param nodes the number of these nodes
     */
    record Offer(ResourceName resource, long total, long nodes) {}

    /** Who chooses the node of a pod. This determines what happens to the pod if no node offers its resource. */
    enum PlacedBy {
        /** The scheduler places the pod, which waits until a node has room for it. */
        SCHEDULER,
        /**
         * The pod names its node in {@code nodeName}, so no scheduler sees it, and it does not wait. The kubelet of the
         * node refuses the pod if the node has too few devices. If the Allocatable of the node does not contain the
         * resource at all, the kubelet starts the pod without a device.
         */
        NODE_NAME
    }

    /** The reason why the pod gets no fallback of a resource. */
    enum Fallbacks {
        /** The policy has no fallbacks for the resource. */
        NONE,
        /** No node has any of the fallbacks; in availability mode, no fallback is free. */
        ALSO_MISSING,
        /** Nodes have some of the fallbacks, but none of the nodes that the pod may use has enough of one. */
        NOT_USABLE,
        /** Nodes offer enough of a fallback, but not together with the other resources of the pod. */
        NOT_TOGETHER,
        /** Nodes offer enough of a fallback, but a LimitRange of the namespace would refuse the changed pod. */
        LIMITED,
        /** The policy has fallbacks, but an annotation of the pod turns them off. */
        SWITCHED_OFF
    }

    /** The part of a review that cannot be decoded or evaluated. */
    enum UnreadablePart {
        /** The review contains no object. */
        OBJECT,
        /** The object is not a pod, or it exceeds the limits of the decoder. */
        POD,
        /** The pod requests GPUs, but its node constraints cannot be evaluated. */
        NODE_CONSTRAINTS
    }
}
