package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ExactAmounts;

/**
 * The state of an in-place resize of a container or a pod.
 *
 * @param allocated the resources that the kubelet has accepted
 * @param actuated the resources that are in effect
 */
public record ResizeState(ExactAmounts allocated, ExactAmounts actuated) {

    /**
     * States whether the node can ever fulfil the resize. The source is the condition {@code PodResizePending} of the
     * pod.
     */
    public enum Prospect {
        POSSIBLE,
        INFEASIBLE
    }

    /** Returns the requests that the scheduler counts during a resize ({@code determineEffectiveRequests}). */
    public ExactAmounts effective(ExactAmounts spec, Prospect prospect) {
        ExactAmounts held = actuated.max(allocated);
        return prospect == Prospect.INFEASIBLE ? held : spec.max(held);
    }
}
