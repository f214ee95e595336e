package dev.sluice.admission.request;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.ExactAmounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pod that is to be created, as far as a decision reads it.
 *
 * @param containers main containers first, then init containers, each in the order of the pod
 * @param podLevel {@code spec.resources.requests}, which replace the sum of the containers
 * @param overhead of its runtime class, which counts towards what a node must have
 * @param priority how important it is to the scheduler
 * @param gated the pod has scheduling gates, so that the scheduler looks for no node yet
 * @param authored what its author wrote; null where nobody recorded it, or where no decision depends on it
 */
public record PodRequest(
        List<ContainerRequest> containers,
        ExactAmounts podLevel,
        ExactAmounts overhead,
        boolean gated,
        NodeConstraints constraints,
        PodAnnotations annotations,
        PodPriority priority,
        @Nullable AuthoredFields authored) {

    public PodRequest {
        containers = List.copyOf(containers);
    }

    /** A pod without a PriorityClass, of which nobody recorded what its author wrote. */
    public PodRequest(
            List<ContainerRequest> containers,
            ExactAmounts podLevel,
            ExactAmounts overhead,
            boolean gated,
            NodeConstraints constraints,
            PodAnnotations annotations) {
        this(containers, podLevel, overhead, gated, constraints, annotations, PodPriority.NORMAL, null);
    }

    /** The same pod with other containers. */
    PodRequest with(List<ContainerRequest> others) {
        return new PodRequest(others, podLevel, overhead, gated, constraints, annotations, priority, authored);
    }

    /** The same pod with other constraints. */
    public PodRequest with(NodeConstraints others) {
        return new PodRequest(containers, podLevel, overhead, gated, others, annotations, priority, authored);
    }

    /** A pod with {@code nodeName} as the kubelet sees it: selectors, affinity and taints no longer matter. */
    public PodRequest heldAgainstItsNode() {
        String node = constraints.nodeName();
        return node == null ? this : with(NodeConstraints.onNode(node));
    }

    /** A container, or the pod as a whole, asks for a negative quantity. */
    public boolean hasNegative() {
        return podLevel.hasNegative()
                || overhead.hasNegative()
                || containers.stream().anyMatch(ContainerRequest::hasNegative);
    }
}
