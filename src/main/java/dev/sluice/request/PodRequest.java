package dev.sluice.request;

import dev.sluice.quantity.ExactAmounts;
import dev.sluice.scheduling.NodeConstraints;
import java.util.List;

/**
 * A pod that is to be created, as far as a decision reads it.
 *
 * @param containers main containers first, then init containers, each in the order of the pod
 * @param podLevel {@code spec.resources.requests}, which replace what containers add up to
 * @param overhead of its runtime class, which counts towards what a node must have
 * @param gated it has scheduling gates, so nobody looks for a node yet
 */
public record PodRequest(
        List<ContainerRequest> containers,
        ExactAmounts podLevel,
        ExactAmounts overhead,
        boolean gated,
        NodeConstraints constraints,
        PodAnnotations annotations) {

    public PodRequest {
        containers = List.copyOf(containers);
    }

    /** A pod with {@code nodeName} as kubelet sees it: nobody looks at its selectors, its affinity or the taints. */
    public PodRequest heldAgainstItsNode() {
        String node = constraints.nodeName();
        return node == null
                ? this
                : new PodRequest(containers, podLevel, overhead, gated, NodeConstraints.onNode(node), annotations);
    }

    /** Less than nothing is asked of something, by a container or by the pod as a whole. */
    public boolean hasNegative() {
        return podLevel.hasNegative()
                || overhead.hasNegative()
                || containers.stream().anyMatch(ContainerRequest::hasNegative);
    }
}
