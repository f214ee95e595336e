package dev.sluice.admission.request;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.ExactAmounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a new pod that a decision reads.
 *
 * @param containers the main containers, followed by the init containers, each in the order of the pod
 * @param podLevel the values of {@code spec.resources.requests}, which replace the sum of the containers
 * @param overhead the overhead of the pod's runtime class, which a node needs in addition to the requests
 * @param priority the priority of the pod for the scheduler
 * @param gated true if the pod has scheduling gates, so that the scheduler does not place it yet
 * @param authored the fields that the author wrote; null if they were not recorded, or if the decision does not depend
 *     on them
 */
public record PodRequest(
        List<ContainerRequest> containers,
        ExactAmounts podLevel,
        ExactAmounts overhead,
        boolean gated,
        NodeConstraints constraints,
        PodRequestAnnotations annotations,
        PodPriority priority,
        @Nullable PodRequestAuthoredFields authored) {

    public PodRequest {
        containers = List.copyOf(containers);
    }

    /** Creates a pod without a PriorityClass. The fields that its author wrote are unknown. */
    public PodRequest(
            List<ContainerRequest> containers,
            ExactAmounts podLevel,
            ExactAmounts overhead,
            boolean gated,
            NodeConstraints constraints,
            PodRequestAnnotations annotations) {
        this(containers, podLevel, overhead, gated, constraints, annotations, PodPriority.NORMAL, null);
    }

    /** Returns a copy of the pod with other containers. */
    PodRequest with(List<ContainerRequest> others) {
        return new PodRequest(others, podLevel, overhead, gated, constraints, annotations, priority, authored);
    }

    /** Returns a copy of the pod with other node constraints. */
    public PodRequest with(NodeConstraints others) {
        return new PodRequest(containers, podLevel, overhead, gated, others, annotations, priority, authored);
    }

    /**
     * Returns a copy of the pod whose only constraint is its {@code nodeName}. Returns the pod itself if it has no
     * {@code nodeName}. A pod with a {@code nodeName} bypasses the scheduler, so selectors, affinity and taints do not
     * matter.
     */
    public PodRequest heldAgainstItsNode() {
        String node = constraints.nodeName();
        return node == null ? this : with(NodeConstraints.onNode(node));
    }

    /** Returns true if a container, or the pod as a whole, requests a negative quantity. */
    public boolean hasNegative() {
        return podLevel.hasNegative()
                || overhead.hasNegative()
                || containers.stream().anyMatch(ContainerRequest::hasNegative);
    }
}
