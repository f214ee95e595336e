package dev.sluice.admission;

import dev.sluice.cluster.Amounts;
import dev.sluice.cluster.NodeConstraints;
import java.util.List;

/**
 * A pod that is to be created, as far as a decision reads it.
 *
 * @param containers main containers first, then init containers, each in the order of the pod
 * @param overhead of its runtime class, which counts towards what a node must have
 * @param podLevel what it asks for as a whole ({@code spec.resources}): its requests, or its limits where it has none
 */
public record PodRequest(
        List<ContainerRequest> containers,
        Amounts overhead,
        Amounts podLevel,
        NodeConstraints constraints,
        PodAnnotations annotations) {

    public PodRequest {
        containers = List.copyOf(containers);
    }
}
