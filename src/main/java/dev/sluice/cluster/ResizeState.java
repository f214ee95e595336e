package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ExactAmounts;

/**
 * The in-place resize of a container, or of a whole pod.
 *
 * @param allocated the resources that kubelet has accepted
 * @param actuated the resources that are in effect
 */
public record ResizeState(ExactAmounts allocated, ExactAmounts actuated) {

    /** Whether the node can ever fulfil the resize, by the condition {@code PodResizePending}. */
    public enum Prospect {
        POSSIBLE,
        INFEASIBLE
    }

    /** The requests that the scheduler counts ({@code determineEffectiveRequests}). */
    public ExactAmounts effective(ExactAmounts spec, Prospect prospect) {
        ExactAmounts held = actuated.max(allocated);
        return prospect == Prospect.INFEASIBLE ? held : spec.max(held);
    }
}
